// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "base/wire.h"
#include "finding/finding.h"

/* Every field set, to something that no other field has. */
static void add_full(struct eo_findings *list)
{
	struct eo_finding *f = eo_findings_add(list);

	strcpy(f->id, "0123456789abcdef");
	f->rule = "flush-before-walk";
	f->file = "lib/a \"b\"\nc.c";
	f->line = 12;
	f->column = 3;
	f->function = "show_shelf";
	f->function_line = 7;
	f->function_end = 21;
	f->call = "shelf_sync";
	f->call_text = "shelf_sync(&s->books)";
	f->ends_in = "sync_all";
	f->guard = "list_empty(&s->books)";
	f->head = "&s->books";
	f->walk_line = 15;
	f->walk = "list_for_each_entry";
	f->result = "";
	f->message = "one line";
	f->confidence = EO_HIGH;
	f->fix = EO_FIX_AUTO;
	f->engines = EO_ENGINE_CLANG | EO_ENGINE_SMPL;
	f->dissent = NULL;
	f->source = "void show_shelf(void)\n{\n}\n";
	eo_finding_add_hot(list, f, "read by everyone");
	eo_finding_add_obligation(list, f, "independent", EO_PROOF_ASSUMED,
				  "why");
	eo_finding_add_obligation(list, f, "effects", EO_PROOF_UNKNOWN, NULL);
	eo_finding_add_step(list, f, "walk", 15, 2, "nothing to walk");
}

static void check_full(const struct eo_finding *f)
{
	assert_string_equal(f->id, "0123456789abcdef");
	assert_string_equal(f->rule, "flush-before-walk");
	assert_string_equal(f->file, "lib/a \"b\"\nc.c");
	assert_int_equal(f->line, 12);
	assert_int_equal(f->column, 3);
	assert_string_equal(f->function, "show_shelf");
	assert_int_equal(f->function_line, 7);
	assert_int_equal(f->function_end, 21);
	assert_string_equal(f->call, "shelf_sync");
	assert_string_equal(f->call_text, "shelf_sync(&s->books)");
	assert_string_equal(f->ends_in, "sync_all");
	assert_string_equal(f->guard, "list_empty(&s->books)");
	assert_string_equal(f->head, "&s->books");
	assert_int_equal(f->walk_line, 15);
	assert_string_equal(f->walk, "list_for_each_entry");
	assert_string_equal(f->result, ""); /* kept apart from NULL */
	assert_string_equal(f->message, "one line");
	assert_int_equal(f->confidence, EO_HIGH);
	assert_int_equal(f->fix, EO_FIX_AUTO);
	assert_int_equal(f->engines, 3);
	assert_null(f->dissent);
	assert_string_equal(f->source, "void show_shelf(void)\n{\n}\n");
	assert_int_equal(f->hot.n, 1);
	assert_string_equal(f->hot.items[0], "read by everyone");
	assert_int_equal(f->obligations.n, 2);
	assert_string_equal(f->obligations.items[0].name, "independent");
	assert_int_equal(f->obligations.items[0].state, EO_PROOF_ASSUMED);
	assert_string_equal(f->obligations.items[0].detail, "why");
	assert_int_equal(f->obligations.items[1].state, EO_PROOF_UNKNOWN);
	assert_null(f->obligations.items[1].detail);
	assert_int_equal(f->steps.n, 1);
	assert_string_equal(f->steps.items[0].kind, "walk");
	assert_int_equal(f->steps.items[0].line, 15);
	assert_int_equal(f->steps.items[0].column, 2);
	assert_string_equal(f->steps.items[0].text, "nothing to walk");
}

static void copy_owns_all_of_it(void **state)
{
	struct eo_findings from = { 0 }, to = { 0 };

	(void)state;
	add_full(&from);
	eo_findings_copy(&to, &from.items[0]);
	eo_findings_release(&from);
	/* A copy within one list, as the list grows and moves. */
	for (int i = 0; i < 20; i++)
		eo_findings_copy(&to, &to.items[0]);
	assert_int_equal(to.n, 21);
	check_full(&to.items[0]);
	check_full(&to.items[20]);
	eo_findings_release(&to);
	assert_int_equal(to.n, 0);
}

static void wire_gives_what_was_put(void **state)
{
	struct eo_findings from = { 0 }, to = { 0 };
	struct eo_str bytes = { 0 };
	struct eo_wire w;

	(void)state;
	add_full(&from);
	eo_finding_put(&bytes, &from.items[0]);
	w = (struct eo_wire){ .p = bytes.s, .left = bytes.len };
	assert_true(eo_finding_get(&w, &to));
	assert_int_equal(w.left, 0);
	assert_int_equal(to.n, 1);
	check_full(&to.items[0]);
	eo_str_release(&bytes);
	eo_findings_release(&from);
	eo_findings_release(&to);
}

/* A worker that dies leaves any prefix; none may be taken for a finding. */
static void wire_refuses_every_prefix(void **state)
{
	struct eo_findings from = { 0 }, to = { 0 };
	struct eo_str bytes = { 0 };

	(void)state;
	add_full(&from);
	eo_finding_put(&bytes, &from.items[0]);
	for (size_t n = 0; n < bytes.len; n++) {
		struct eo_wire w = { .p = bytes.s, .left = n };

		assert_false(eo_finding_get(&w, &to));
		assert_int_equal(to.n, 0);
	}
	eo_str_release(&bytes);
	eo_findings_release(&from);
	eo_findings_release(&to);
}

/* Any byte set to 0xff: refused or read, but nothing out of range. */
static void wire_survives_garbage(void **state)
{
	struct eo_findings from = { 0 }, to = { 0 };
	struct eo_str bytes = { 0 };

	(void)state;
	add_full(&from);
	eo_finding_put(&bytes, &from.items[0]);
	for (size_t i = 0; i < bytes.len; i++) {
		struct eo_wire w = { .p = bytes.s, .left = bytes.len };
		char was = bytes.s[i];

		bytes.s[i] = (char)0xff;
		if (eo_finding_get(&w, &to)) {
			const struct eo_finding *f = &to.items[to.n - 1];

			assert_non_null(eo_confidence_name(f->confidence));
			assert_non_null(eo_fix_name(f->fix));
			assert_true(f->engines <= 3);
		}
		bytes.s[i] = was;
	}
	eo_str_release(&bytes);
	eo_findings_release(&from);
	eo_findings_release(&to);
}

static void names_go_both_ways(void **state)
{
	enum eo_confidence c;
	enum eo_fix f;
	enum eo_proof p;
	enum eo_gap_reason r;

	(void)state;
	assert_string_equal(eo_confidence_name(EO_MEDIUM), "medium");
	assert_true(eo_confidence_parse("high", &c));
	assert_int_equal(c, EO_HIGH);
	assert_false(eo_confidence_parse("High", &c));
	assert_false(eo_confidence_parse(NULL, &c));
	assert_string_equal(eo_fix_name(EO_FIX_NONE), "none");
	assert_true(eo_fix_parse("auto", &f));
	assert_int_equal(f, EO_FIX_AUTO);
	assert_false(eo_fix_parse("", &f));
	assert_string_equal(eo_proof_name(EO_PROOF_FAILED), "failed");
	assert_true(eo_proof_parse("assumed", &p));
	assert_int_equal(p, EO_PROOF_ASSUMED);
	assert_false(eo_proof_parse("maybe", &p));
	assert_string_equal(eo_gap_reason_name(EO_GAP_TIMEOUT), "timeout");
	assert_true(eo_gap_reason_parse("no-flags", &r));
	assert_int_equal(r, EO_GAP_NO_FLAGS);
	assert_false(eo_gap_reason_parse("lazy", &r));
	assert_string_equal(eo_engine_name(EO_ENGINE_CLANG), "clang");
	assert_string_equal(eo_engine_name(EO_ENGINE_SMPL), "smpl");
}

static const struct eo_gap slow = { .file = "lib/shelf.c",
				    .engine = EO_ENGINE_SMPL,
				    .reason = EO_GAP_TIMEOUT,
				    .detail = "took more than 60 s" };

static void same_gap_counts_once(void **state)
{
	struct eo_gaps gaps = { 0 };
	struct eo_gap other = slow;

	(void)state;
	eo_gaps_add(&gaps, &slow);
	eo_gaps_add(&gaps, &slow);
	eo_gaps_add(&gaps, &gaps.items[0]);
	assert_int_equal(gaps.n, 1);
	other.function = ""; /* is not the whole file */
	eo_gaps_add(&gaps, &other);
	other = slow;
	other.engine = EO_ENGINE_CLANG;
	eo_gaps_add(&gaps, &other);
	other = slow;
	other.detail = NULL;
	eo_gaps_add(&gaps, &other);
	assert_int_equal(gaps.n, 4);
	eo_gaps_release(&gaps);
}

static void many_gaps_are_quick(void **state)
{
	struct eo_gaps gaps = { 0 };
	struct eo_gap g = slow;
	char name[32];

	(void)state;
	for (int i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "lib/%d.c", i);
		g.file = name;
		eo_gaps_add(&gaps, &g);
	}
	assert_int_equal(gaps.n, 100000);
	eo_gaps_release(&gaps);
}

static void gap_goes_over_the_wire(void **state)
{
	struct eo_gaps from = { 0 }, to = { 0 };
	struct eo_str bytes = { 0 };
	struct eo_wire w;

	(void)state;
	eo_gap_put(&bytes, &slow);
	for (size_t n = 0; n < bytes.len; n++) {
		w = (struct eo_wire){ .p = bytes.s, .left = n };
		assert_false(eo_gap_get(&w, &to));
	}
	w = (struct eo_wire){ .p = bytes.s, .left = bytes.len };
	assert_true(eo_gap_get(&w, &to));
	assert_int_equal(to.n, 1);
	assert_string_equal(to.items[0].file, "lib/shelf.c");
	assert_null(to.items[0].function);
	assert_int_equal(to.items[0].engine, EO_ENGINE_SMPL);
	assert_int_equal(to.items[0].reason, EO_GAP_TIMEOUT);
	assert_string_equal(to.items[0].detail, "took more than 60 s");
	eo_str_release(&bytes);
	eo_gaps_release(&from);
	eo_gaps_release(&to);
}

static void narrowest_gap_is_found(void **state)
{
	struct eo_gaps gaps = { 0 };
	struct eo_gap g = { .file = "", .engine = EO_ENGINE_SMPL };

	(void)state;
	g.reason = EO_GAP_TOOL_MISSING;
	eo_gaps_add(&gaps, &g);
	eo_gaps_add(&gaps, &slow);
	g.file = "lib/shelf.c";
	g.function = "show_shelf";
	g.reason = EO_GAP_UNSUPPORTED;
	eo_gaps_add(&gaps, &g);

#define REASON(file, function) \
	eo_gaps_find(&gaps, EO_ENGINE_SMPL, file, function)->reason
	assert_int_equal(REASON("lib/shelf.c", "show_shelf"),
			 EO_GAP_UNSUPPORTED);
	assert_int_equal(REASON("lib/shelf.c", "other"), EO_GAP_TIMEOUT);
	assert_int_equal(REASON("lib/other.c", "show_shelf"),
			 EO_GAP_TOOL_MISSING);
	assert_null(eo_gaps_find(&gaps, EO_ENGINE_CLANG, "lib/shelf.c",
				 "show_shelf"));
	eo_gaps_release(&gaps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copy_owns_all_of_it),
		cmocka_unit_test(wire_gives_what_was_put),
		cmocka_unit_test(wire_refuses_every_prefix),
		cmocka_unit_test(wire_survives_garbage),
		cmocka_unit_test(names_go_both_ways),
		cmocka_unit_test(same_gap_counts_once),
		cmocka_unit_test(many_gaps_are_quick),
		cmocka_unit_test(gap_goes_over_the_wire),
		cmocka_unit_test(narrowest_gap_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
