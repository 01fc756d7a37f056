// SPDX-License-Identifier: GPL-2.0-only
/* Figures and layout are those of the kernel's scripts/bloat-o-meter. */
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "verify/checks.h"
#include "verify/judge.h"
#include "verify/state.h"

struct sums {
	unsigned added, removed, grown, shrunk;
	long up, down, before, after;
	struct eo_str lines;
};

static long size_in(const struct eo_map *sizes, const char *name)
{
	return (long)(uintptr_t)eo_map_get(sizes, name);
}

static void add_line(struct sums *s, const char *key, long old, long new)
{
	const char *name = strchr(key, ' ');
	EO_CLEANUP(eo_freep)
	char *was = old ? eo_asprintf("%ld", old) : eo_strdup("-");
	EO_CLEANUP(eo_freep)
	char *is = new ? eo_asprintf("%ld", new) : eo_strdup("-");

	eo_str_addf(&s->lines, "%-40s %7s %7s %+7ld\n", name ? name + 1 : key,
		    was, is, new - old);
}

static void count(struct sums *s, const char *key, long old, long new)
{
	s->before += old;
	s->after += new;
	if (old == new)
		return;
	if (!old)
		s->added++;
	else if (!new)
		s->removed++;
	else if (new > old)
		s->grown++;
	else
		s->shrunk++;
	*(new > old ? &s->up : &s->down) += new > old ? new - old : old - new;
	add_line(s, key, old, new);
}

void eo_judge_size(size_t step, const struct eo_state *before,
		   const struct eo_state *after, struct eo_checks *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str log = { 0 };
	struct sums s = { 0 };
	const struct eo_map_entry *e;

	if (!after->built.n) {
		eo_checks_add(out, step, "size", EO_SKIPPED, "",
			      "nothing was built");
		return;
	}
	eo_map_for_each(e, &after->sizes)
		count(&s, e->key, size_in(&before->sizes, e->key),
		      size_in(&after->sizes, e->key));
	eo_map_for_each(e, &before->sizes)
		if (!eo_map_has(&after->sizes, e->key))
			count(&s, e->key, size_in(&before->sizes, e->key), 0);
	eo_str_addf(&log, "%-40s %7s %7s %7s\n%s", "Function", "old", "new",
		    "delta", eo_str_get(&s.lines));
	eo_str_addf(&log, "Total: Before=%ld, After=%ld, chg %+.2f%%\n",
		    s.before, s.after,
		    s.before ? 100.0 * (double)(s.after - s.before) /
				       (double)s.before :
			       0.0);
	eo_checks_add(
		out, step, "size", EO_PASS, eo_str_get(&log),
		"add/remove: %u/%u grow/shrink: %u/%u up/down: %ld/%ld (%ld)",
		s.added, s.removed, s.grown, s.shrunk, s.up, -s.down,
		s.up - s.down);
	eo_str_release(&s.lines);
}
