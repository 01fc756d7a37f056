// SPDX-License-Identifier: GPL-2.0-only
/* The ways to mend a finding, rule by rule. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "rewrite/rewrite.h"

/* What a sample can be replaced by; the rules about one share these. */
#define CHEAPER                                                                   \
	"cheaper-source", "ask for the one field, of the task itself",            \
		"The code that counts keeps its shape, and every sample becomes " \
		"cheaper, those of turns that do work too.",                      \
		"The value is the task's own, no longer the sum over its "        \
		"thread group; what is taken needlessly is still taken."
#define LAZY                                                                     \
	"lazy-start", "start the sample when the first work of a turn starts",   \
		"Turns that do nothing sample nothing, whatever a sample "       \
		"costs; nobody has to switch anything on.",                      \
		"Work that runs on every turn, whether or not there is any, is " \
		"no longer counted on turns that do nothing else."
#define KNOB                                                                      \
	"knob", "a new flag for user space that switches the counting on",        \
		"Whoever does not ask for the numbers pays nothing.",             \
		"A flag of the user-space interface stays for ever and there "    \
		"are few of them to give; tools that read the numbers today get " \
		"none; the needless work stays for whoever switches it on. "      \
		"Maintainers have refused such a flag for this reason."

static const struct eo_strategy early_return[] = {
	{ "early-return", "test first, and return before the call",
	  "The test is cheap and the call is left out where nothing needs it.",
	  "One more test where there is something to do.", .is_default = true,
	  .is_made = true },
};

static const struct eo_strategy before_check[] = {
	{ "sink", "move the call behind the test, to where it is used",
	  "The call is left out where the test leaves; no test is added.",
	  "What the test lets through sees the call's work a little later.",
	  .is_default = true, .is_made = true },
	{ "hoist-test", "move the test before the call, with what it needs",
	  "The call is left out where the test leaves, and what follows it "
	  "still follows it at once.",
	  "What the test looks at is looked at a little earlier.",
	  .is_made = true },
};

static const struct eo_strategy drop[] = {
	{ "drop", "leave the second call out", "Less code.",
	  "What was queued between the two waits for the next call.",
	  .is_default = true, .is_made = true },
};

static const struct eo_strategy hoist[] = {
	{ "hoist", "call once for the root, before the loop",
	  "One call in place of one for each descendant.",
	  "What is queued while the loop runs waits for the next call; that "
	  "the root covers all descendants is for somebody to vouch for.",
	  .is_default = true, .is_made = true, .on_word = "covered" },
};

static const struct eo_strategy ratelimit[] = {
	{ "ratelimited", "call the form that does nothing when it ran lately",
	  "At most one call in the interval of that form.",
	  "Readers see numbers that are as old as that interval; that they "
	  "will do is for somebody to vouch for.",
	  .is_default = true, .is_made = true, .on_word = "old-counts" },
};

static const struct eo_strategy test_first[] = {
	{ "test-first", "test for idle before the work, with the lock held",
	  "An idle visit does nothing but lock and test.",
	  "One more test where there is something to do.", .is_default = true,
	  .is_made = true },
	{ "test-before-lock", "test for idle before the lock",
	  "An idle visit does nothing but test; the lock's cache line stays "
	  "where it is.",
	  "What becomes pending right behind the test waits for the next "
	  "visit; that this is right depends on who else changes the field, "
	  "and is for somebody to vouch for.",
	  .is_made = true, .on_word = "lockless" },
	{ "test-before-loop", "test for idle once, before the loop of visits",
	  "Where nothing is pending, nothing is visited: one test in place of "
	  "a lock for each.",
	  "What becomes pending right behind the test, on any of them, waits "
	  "for the next time; that this is right depends on who else changes "
	  "the field, and is for somebody to vouch for.",
	  .is_made = true, .on_word = "lockless", .needs = "one-test",
	  .unless = "each-visit" },
};

static const struct eo_strategy one_field[] = {
	{ CHEAPER, .is_default = true, .is_made = true },
	{ LAZY, .is_made = false },
	{ KNOB, .is_made = false },
};

static const struct eo_strategy hot_loop[] = {
	{ LAZY, .is_default = true, .is_made = true },
	{ CHEAPER, .is_made = false },
	{ KNOB, .is_made = false },
};

static const struct eo_strategy unused_path[] = {
	{ "under-condition", "sample only under the condition that uses it",
	  "The other paths take no sample and no reference for it.",
	  "The condition is tested before the sample too.", .is_default = true,
	  .is_made = true },
};

#define ROW(rule, list) { rule, list, sizeof(list) / sizeof((list)[0]) }

static const struct {
	const char *rule;
	const struct eo_strategy *items;
	size_t n;
} table[] = {
	ROW("flush-before-walk", early_return),
	ROW("flush-before-check", before_check),
	ROW("flush-repeated", drop),
	ROW("flush-in-loop", hoist),
	ROW("flush-unthresholded-hot", ratelimit),
	ROW("idle-visit", test_first),
	ROW("rusage-one-field", one_field),
	ROW("rusage-hot-loop", hot_loop),
	ROW("rusage-unused-path", unused_path),
};

const struct eo_strategy *eo_rewrite_strategies(const char *rule, size_t *n)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(table[i].rule, rule))
			continue;
		*n = table[i].n;
		return table[i].items;
	}
	*n = 0;
	return NULL;
}

const struct eo_strategy *eo_rewrite_strategy(const char *rule,
					      const char *name)
{
	size_t n;
	const struct eo_strategy *list = eo_rewrite_strategies(rule, &n);

	for (size_t i = 0; i < n; i++)
		if (name ? eo_streq(list[i].name, name) : list[i].is_default)
			return &list[i];
	return NULL;
}

bool eo_rewrite_offers(const struct eo_strategy *s, const struct eo_finding *f,
		       const char **why)
{
	const struct eo_obligation *o;

	*why = NULL;
	if (!s->needs)
		return true;
	eo_vec_for_each(o, &f->obligations) {
		if (eo_streq(o->name, s->needs))
			return o->state == EO_PROOF_PROVED;
		if (eo_streq(o->name, s->unless))
			*why = o->detail;
	}
	return false;
}
