// SPDX-License-Identifier: GPL-2.0-only
#include "verify/complaints.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

void eo_complaints_release(struct eo_complaints *c)
{
	eo_map_release(&c->seen);
	eo_arena_release(&c->arena);
}

/* Behind "FILE:LINE:COL:"; NULL when the line does not begin so. */
static const char *behind_place(const char *line, size_t *file)
{
	const char *p = strchr(line, ':');

	if (!p || strchr(line, ' ') < p || !isdigit((unsigned char)p[1]))
		return NULL;
	*file = (size_t)(p - line);
	while (*p == ':' || *p == '-' || isdigit((unsigned char)*p))
		p++;
	return p;
}

static bool is_of(const char *message, enum eo_complainer who)
{
	bool by_compiler = strstr(message, "[-W") || strstr(message, "error:");

	if (who == EO_BY_COCCI)
		return true;
	if (!by_compiler && !strstr(message, "warning:"))
		return false;
	return by_compiler == (who == EO_BY_COMPILER);
}

/* Numbers in a message are mostly lines of something else. */
static void add_message(struct eo_str *to, const char *p)
{
	/*
	 * Why sparse loses count of the locks of a function differs with how
	 * it comes to its end: a guard() on one more return, say.
	 */
	const char *end = strstr(p, "context imbalance") ? strstr(p, "' - ") :
							   NULL;

	for (; *p && p != end; p++) {
		if (isdigit((unsigned char)*p) && to->len &&
		    !eo_is_ident(to->s[to->len - 1])) {
			while (isdigit((unsigned char)p[1]))
				p++;
			eo_str_addc(to, '#');
		} else {
			eo_str_addc(to, *p);
		}
	}
}

static void add(struct eo_complaints *c, const char *line, const char *function,
		enum eo_complainer who)
{
	EO_CLEANUP(eo_str_release) struct eo_str id = { 0 };
	size_t file, n;
	const char *message = behind_place(line, &file);

	if (!message || !is_of(message, who))
		return;
	eo_str_addf(&id, "%.*s %s ", (int)file, line, function);
	add_message(&id, message);
	n = id.len;
	for (unsigned i = 2; eo_map_has(&c->seen, id.s); i++) {
		id.s[n] = '\0';
		id.len = n;
		eo_str_addf(&id, " (%u)", i);
	}
	eo_map_set(&c->seen, id.s, eo_arena_strdup(&c->arena, line));
}

void eo_complaints_read(struct eo_complaints *c, const char *text,
			const char *prefix, enum eo_complainer who)
{
	EO_CLEANUP(eo_freep) char *function = eo_strdup("");
	size_t n = strlen(prefix);

	for (const char *p = text; *p; p += *p == '\n') {
		size_t len = strcspn(p, "\n");
		EO_CLEANUP(eo_freep) char *line = eo_strndup(p, len);
		char *in = strstr(line, ": In function ");
		const char *own = line;

		if (!strncmp(line, prefix, n) && line[n] == '/')
			own = line + n + 1;
		if (in) {
			eo_freep(&function);
			function = eo_strdup(in + 14);
		} else {
			add(c, own, who == EO_BY_COMPILER ? function : "", who);
		}
		p += len;
	}
}

size_t eo_complaints_new(const struct eo_complaints *before,
			 const struct eo_complaints *after, struct eo_str *out)
{
	const struct eo_map_entry *e;
	size_t n = 0;

	eo_map_for_each(e, &after->seen) {
		if (eo_map_has(&before->seen, e->key))
			continue;
		eo_str_addf(out, "%s\n", (const char *)e->value);
		n++;
	}
	return n;
}
