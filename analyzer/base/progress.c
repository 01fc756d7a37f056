// SPDX-License-Identifier: GPL-2.0-only
#include "base/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

/* The one terminal there is: the only state of this program at file scope. */
static struct {
	bool disabled, shown;
	struct timespec last;
	char what[32];
} state;

void eo_progress_disable(void)
{
	state.disabled = true;
}

static bool too_soon(const char *what)
{
	struct timespec now;
	long ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (now.tv_sec - state.last.tv_sec) * 1000 +
	     (now.tv_nsec - state.last.tv_nsec) / 1000000;
	if (ms < 100 && strcmp(state.what, what) == 0)
		return true;
	state.last = now;
	snprintf(state.what, sizeof(state.what), "%s", what);
	return false;
}

void eo_progress(const char *what, size_t done, size_t total,
		 const char *detail)
{
	char line[120];
	int n;

	if (state.disabled || !isatty(STDERR_FILENO) || too_soon(what))
		return;
	if (total)
		n = snprintf(line, sizeof(line), "%s %zu/%zu %s", what, done,
			     total, detail ? detail : "");
	else
		n = snprintf(line, sizeof(line), "%s %s", what,
			     detail ? detail : "");
	for (int i = 0; i < n && line[i]; i++)
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
			line[i] = '?'; /* names are other people's bytes */
	if (n > 78)
		line[78] = '\0';
	fprintf(stderr, "\r\033[K%s", line);
	state.shown = true;
}

void eo_progress_end(void)
{
	if (!state.shown)
		return;
	fputs("\r\033[K", stderr);
	state.shown = false;
}
