// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/counts.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/str.h"
#include "verify/bench/guest.h"
#include "verify/bench/qemu.h"
#include "verify/bench/record.h"
#include "verify/bench/runner.h"

#define FEW 1 /* batches */
#define MANY 3

struct symbol {
	uint64_t address;
	const char *name;
};

struct symbols {
	struct symbol *items; /* by address */
	size_t n, cap;
	struct eo_str text;
};

static void symbols_release(struct symbols *s)
{
	free(s->items);
	eo_str_release(&s->text);
}

void eo_counts_release(struct eo_counts *p)
{
	free(p->items);
	eo_map_release(&p->numbers);
	eo_arena_release(&p->arena);
	*p = (struct eo_counts){ 0 };
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = ((const struct symbol *)a)->address;
	uint64_t y = ((const struct symbol *)b)->address;

	return x < y ? -1 : x > y;
}

/* "ffffffff81000000 T _text": code alone. */
static struct eo_error *read_map(const char *path, struct symbols *to)
{
	char *line, *rest;

	eo_try(eo_file_read(path, &to->text));
	rest = to->text.s;
	while (rest && (line = strsep(&rest, "\n"))) {
		char *end;
		uint64_t address = strtoull(line, &end, 16);

		if (end == line || *end != ' ' || !strchr("tTwW", end[1]) ||
		    end[2] != ' ')
			continue;
		*eo_vec_push(to) = (struct symbol){ address, end + 3 };
	}
	if (!to->n)
		return eo_error_new(EO_ERR_INPUT, "%s: no System.map", path);
	qsort(to->items, to->n, sizeof(*to->items), by_address);
	return NULL;
}

/* What the address is in: the last symbol that begins before it. */
static const char *name_at(const struct symbols *s, uint64_t address)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? s->items[low - 1].name : "[user]";
}

static struct eo_count *row_of(struct eo_counts *p, const char *symbol)
{
	size_t number = (size_t)(uintptr_t)eo_map_get(&p->numbers, symbol);
	struct eo_count *r;

	if (number)
		return &p->items[number - 1];
	r = eo_vec_push(p);
	eo_map_set(&p->numbers, symbol, (void *)(uintptr_t)p->n);
	*r = (struct eo_count){ .symbol = eo_arena_strdup(&p->arena, symbol) };
	return r;
}

void eo_counts_put(struct eo_counts *to, const char *symbol, double n,
		   int after)
{
	struct eo_count *r = row_of(to, symbol);

	*(after ? &r->after : &r->before) += n;
}

struct eo_error *eo_counts_add(struct eo_counts *to, const char *map,
			       const char *counts, double factor, int after)
{
	EO_CLEANUP(symbols_release) struct symbols symbols = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	char *line, *rest;

	eo_try(read_map(map, &symbols));
	eo_try(eo_file_read(counts, &text));
	rest = text.s;
	while (rest && (line = strsep(&rest, "\n")) && *line) {
		unsigned long long address, count;

		if (sscanf(line, "%llx %llu", &address, &count) != 2)
			return eo_error_new(EO_ERR_INPUT,
					    "%s: `%s` is no count", counts,
					    line);
		eo_counts_put(to, name_at(&symbols, address),
			      factor * (double)count, after);
	}
	return NULL;
}

static int by_most(const void *a, const void *b)
{
	const struct eo_count *x = a, *y = b;
	double p = fmax(x->before, x->after), q = fmax(y->before, y->after);

	return p != q ? (p < q ? 1 : -1) : strcmp(x->symbol, y->symbol);
}

void eo_counts_sort(struct eo_counts *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (fmax(p->items[i].before, p->items[i].after) >= 1)
			p->items[n++] = p->items[i];
	p->n = n;
	qsort(p->items, p->n, sizeof(*p->items), by_most);
}

/* One boot, whose counts go to the file @counts. */
static struct eo_error *boot(const struct eo_runner *r, const char *plugin,
			     int after, int batches, const char *counts)
{
	EO_CLEANUP(eo_record_release) struct eo_record record = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str console = { 0 };
	/* What is said first counts; without a seed nothing is by chance. */
	EO_CLEANUP(eo_freep)
	char *words = eo_asprintf("%s batches=%d %s", r->workload->name,
				  batches, r->params);
	const struct eo_boot b = {
		.kernel = r->kernels[after],
		.initramfs = r->initramfs,
		.workload = words,
		.icount = true,
		.plugin = plugin,
		.counts = counts,
		.cpus = r->cpus,
		.possible = r->possible,
		.memory_mb = EO_BOOT_MEMORY_MB,
		.timeout_s = r->timeout_s,
	};

	return eo_boot_run(&b, &record, &console);
}

static struct eo_error *take_in(const char *dir, const struct eo_runner *r,
				const char *const maps[2],
				struct eo_counts *out)
{
	EO_CLEANUP(eo_freep) char *counts = eo_path_join(dir, "counts");
	EO_CLEANUP(eo_freep) char *plugin = NULL;

	eo_try(eo_guest_plugin(&plugin));
	for (int i = 0; i < 4; i++) {
		bool after = i / 2, many = i % 2;

		eo_progress("bench: profile", (size_t)i + 1, 4, "");
		eo_try(boot(r, plugin, after, many ? MANY : FEW, counts));
		eo_try(eo_counts_add(out, maps[after], counts,
				     (many ? 1.0 : -1.0) / (MANY - FEW),
				     after));
	}
	eo_counts_sort(out);
	return NULL;
}

struct eo_error *eo_counts_take(const struct eo_runner *r,
				const char *const maps[2],
				struct eo_counts *out)
{
	struct eo_error *err;
	char *dir;

	eo_try(eo_temp_dir(&dir));
	err = take_in(dir, r, maps, out);
	eo_error_free(eo_remove_tree(dir));
	free(dir);
	return err;
}
