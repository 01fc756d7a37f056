// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/record.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "verify/bench/stats.h"

#define MAX_LINE 4000
#define MAX_BATCH 1000000

/* Where reading is. */
struct reader {
	const char *from;
	unsigned number; /* of the line, from 1 */
	bool framed, ended;
	struct eo_record *out;
};

void eo_record_release(struct eo_record *l)
{
	free(l->metrics.items);
	free(l->samples.items);
	free(l->env.items);
	eo_arena_release(&l->arena);
	*l = (struct eo_record){ 0 };
}

const struct eo_metric *eo_record_metric(const struct eo_record *l,
					 const char *name)
{
	const struct eo_metric *m;

	eo_vec_for_each(m, &l->metrics) {
		if (!strcmp(m->name, name))
			return m;
	}
	return NULL;
}

static struct eo_error *bad(const struct reader *r, const char *what)
{
	return eo_error_new(EO_ERR_INPUT, "%s:%u: %s", r->from, r->number,
			    what);
}

/* The IEEE 802.3 polynomial, as in zlib's crc32(). */
static uint32_t crc32_of(const char *p, size_t n)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned char)p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

/* Takes "eo NUMBER CRC " off the line. */
static struct eo_error *unframe(const struct reader *r, char **line)
{
	unsigned number, crc;
	int head = 0;

	if (sscanf(*line, "eo %u %8x %n", &number, &crc, &head) < 2 || !head)
		return bad(r,
			   "this is no frame: something else has written here");
	if (number != r->number - 1)
		return bad(r, "a frame is missing before this one");
	*line += head;
	if (crc32_of(*line, strlen(*line)) != crc)
		return bad(r, "the frame is damaged: its checksum is wrong");
	return NULL;
}

/* The next word of the line, NUL-terminated in place; "" at its end. */
static char *word(char **line)
{
	char *start = *line + strspn(*line, " \t");
	size_t n = strcspn(start, " \t");

	*line = start + n;
	if (**line)
		*(*line)++ = '\0';
	return start;
}

static bool is_name(const char *s)
{
	return *s &&
	       s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789._-")] == '\0';
}

static struct eo_error *take_metric(struct reader *r, char *line)
{
	struct eo_arena *a = &r->out->arena;
	const char *name = word(&line), *unit = word(&line);
	const char *better = word(&line);
	struct eo_metric *m;

	if (!is_name(name) || !*unit ||
	    (strcmp(better, "lower") && strcmp(better, "higher")))
		return bad(r,
			   "a metric is: metric NAME UNIT lower|higher WORDS");
	if (eo_record_metric(r->out, name))
		return bad(r, "this metric is declared twice");
	m = eo_vec_push(&r->out->metrics);
	m->name = eo_arena_strdup(a, name);
	m->unit = eo_arena_strdup(a, unit);
	m->words = eo_arena_strdup(a, *line ? line : name);
	m->higher_is_better = *better == 'h';
	return NULL;
}

static struct eo_error *take_sample(struct reader *r, char *line)
{
	const char *name = word(&line), *batch = word(&line);
	const char *value = word(&line);
	const struct eo_metric *m = eo_record_metric(r->out, name);
	struct eo_sample *s;
	char *end, *end2;
	unsigned long b = strtoul(batch, &end, 10);
	double v = strtod(value, &end2);

	if (*batch < '0' || *batch > '9' || *end || b > MAX_BATCH || !*value ||
	    *end2 || *word(&line))
		return bad(r, "a sample is: sample METRIC BATCH VALUE");
	if (!m)
		return bad(r, "no metric of this name was declared before");
	if (!isfinite(v) || v < 0)
		return bad(r, "a sample's value is a number from 0");
	s = eo_vec_push(&r->out->samples);
	s->metric = m->name;
	s->batch = (unsigned)b;
	s->value = v;
	return NULL;
}

static void take_env(struct reader *r, char *line)
{
	struct eo_env *e = eo_vec_push(&r->out->env);

	e->name = eo_arena_strdup(&r->out->arena, word(&line));
	e->value = eo_arena_strdup(&r->out->arena, line);
}

static struct eo_error *take(struct reader *r, char *line)
{
	char *key;

	if (r->framed)
		eo_try(unframe(r, &line));
	if (r->ended)
		return bad(r, "something comes behind the end");
	key = word(&line);
	if (!*key || *key == '#')
		return NULL;
	if (!strcmp(key, "metric"))
		return take_metric(r, line);
	if (!strcmp(key, "sample"))
		return take_sample(r, line);
	if (!strcmp(key, "fail"))
		return bad(r, *line ? line : "it failed and does not say why");
	if (!strcmp(key, "env")) {
		take_env(r, line);
	} else if (!strcmp(key, "end")) {
		r->ended = true;
	} else if (!strcmp(key, "hello")) {
		if (strcmp(word(&line), "1") != 0)
			return bad(r, "another version of the format than 1");
		r->out->workload = eo_arena_strdup(&r->out->arena, word(&line));
	} else {
		return bad(
			r,
			"a line begins with hello, env, metric, sample, fail or end");
	}
	return NULL;
}

/* The samples that count. The caller frees. */
static double *values(const struct eo_record *l, const char *metric, size_t *n)
{
	double *v = eo_alloc((l->samples.n + 1) * sizeof(*v));
	const struct eo_sample *s;

	*n = 0;
	eo_vec_for_each(s, &l->samples) {
		if (s->batch && !strcmp(s->metric, metric))
			v[(*n)++] = s->value;
	}
	return v;
}

double eo_record_value(const struct eo_record *l, const char *metric)
{
	size_t n;
	EO_CLEANUP(eo_freep) double *v = values(l, metric, &n);

	return n ? eo_stats_median(v, n) : 0;
}

static struct eo_error *check_whole(const struct reader *r)
{
	const struct eo_metric *m;

	if (!r->ended)
		return eo_error_new(
			EO_ERR_INPUT,
			"%s: it ends after line %u, without \"end\"", r->from,
			r->number);
	if (!r->out->metrics.n)
		return eo_error_new(EO_ERR_INPUT, "%s: it measured nothing",
				    r->from);
	eo_vec_for_each(m, &r->out->metrics) {
		size_t n;
		EO_CLEANUP(eo_freep)
		double *v = values(r->out, m->name, &n);

		if (!n || eo_stats_median(v, n) <= 0)
			return eo_error_new(
				EO_ERR_INPUT,
				"%s: the metric %s has no sample behind the warm-up (batch 0), or a median of 0",
				r->from, m->name);
	}
	return NULL;
}

struct eo_error *eo_record_parse(const char *from, const char *text, size_t n,
				 bool framed, struct eo_record *out)
{
	struct reader r = { .from = from, .framed = framed, .out = out };
	const char *end = text + n;

	for (const char *p = text, *nl; p < end; p = nl + 1) {
		EO_CLEANUP(eo_freep) char *line = NULL;

		r.number++;
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			return bad(&r, "the line is cut off");
		if (nl - p > MAX_LINE || memchr(p, '\0', (size_t)(nl - p)))
			return bad(&r, "the line is too long, or has a NUL");
		line = eo_strndup(p, (size_t)(nl - p));
		line[strcspn(line, "\r")] = '\0';
		eo_try(take(&r, line));
	}
	return check_whole(&r);
}
