// SPDX-License-Identifier: GPL-2.0-only
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct eo_error {
	enum eo_error_kind kind;
	char *message;
};

void eo_oom(void)
{
	static const char msg[] = "earlyout: out of memory\n";

	fwrite(msg, 1, sizeof(msg) - 1, stderr);
	abort();
}

static char *format(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		eo_oom();
	return s;
}

static struct eo_error *make(enum eo_error_kind kind, char *message)
{
	struct eo_error *err = malloc(sizeof(*err));

	if (!err)
		eo_oom();
	err->kind = kind;
	err->message = message;
	return err;
}

/* "HEAD: TAIL", in place of @err's message. Frees @head. */
static struct eo_error *join(struct eo_error *err, char *head, const char *tail)
{
	char *both;

	if (asprintf(&both, "%s: %s", head, tail) < 0)
		eo_oom();
	free(head);
	free(err->message);
	err->message = both;
	return err;
}

struct eo_error *eo_error_new(enum eo_error_kind kind, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = format(fmt, ap);
	va_end(ap);
	return make(kind, s);
}

struct eo_error *eo_error_errno(int errnum, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = format(fmt, ap);
	va_end(ap);
	return join(make(EO_ERR_ENV, NULL), s, strerror(errnum));
}

struct eo_error *eo_error_wrap(struct eo_error *err, const char *fmt, ...)
{
	va_list ap;
	char *s;

	if (!err)
		return NULL;
	va_start(ap, fmt);
	s = format(fmt, ap);
	va_end(ap);
	return join(err, s, err->message);
}

const char *eo_error_message(const struct eo_error *err)
{
	return err->message;
}

enum eo_error_kind eo_error_kind(const struct eo_error *err)
{
	return err->kind;
}

void eo_error_free(struct eo_error *err)
{
	if (!err)
		return;
	free(err->message);
	free(err);
}
