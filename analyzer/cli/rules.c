// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/data.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/cli.h"
#include "reports/jsonw.h"
#include "rules/doc.h"
#include "rules/rule.h"

#define WIDTH 78

/* Where the rule's semantic patch is; NULL when it has none. */
static char *semantic_patch(const struct eo_rule *rule)
{
	EO_CLEANUP(eo_freep)
	char *file = eo_asprintf("semantic-patches/%s.cocci", rule->name);
	char *path = NULL;

	eo_error_free(eo_data_path(file, &path));
	return path;
}

/* Prose, broken into lines that begin with @margin blanks. */
static void print_prose(const char *text, int margin)
{
	int column = 0;

	while (*(text += strspn(text, " \n"))) {
		int n = (int)strcspn(text, " \n");

		if (column && column + 1 + n > WIDTH) {
			putchar('\n');
			column = 0;
		}
		column += column ? printf(" %.*s", n, text) :
				   printf("%*s%.*s", margin, "", n, text);
		text += n;
	}
	putchar('\n');
}

static void print_code(const char *title, const char *text)
{
	printf("\n%s:\n", title);
	while (*text) {
		int n = (int)strcspn(text, "\n");

		printf("\t%.*s\n", n, text);
		text += n + (text[n] == '\n');
	}
}

static void print_part(const char *title, const char *text)
{
	printf("\n%s:\n", title);
	print_prose(text, 2);
}

static void print_rule(const struct eo_rule *rule, const struct eo_rule_doc *d)
{
	EO_CLEANUP(eo_freep) char *patch = semantic_patch(rule);
	const struct eo_rule_duty *duty;

	printf("%s\n\nwhat: a call of the model, and %s\nfix:  %s\n",
	       rule->name, rule->what, rule->fix);
	print_part("why", d->why);
	print_code("before", d->before);
	print_code("after", d->after);
	printf("\nobligations, each of which is proved, assumed, unknown or failed:\n");
	eo_vec_for_each(duty, &d->duties) {
		printf("  %s\n", duty->name);
		print_prose(duty->meaning, 6);
	}
	print_part("confidence", d->confidence);
	print_part("who makes the fix", d->fix);
	if (d->smpl)
		print_part("no semantic patch", d->smpl);
	if (patch)
		printf("\nSmPL: %s\n", patch);
}

static void add_rule(struct eo_jsonw *w, const struct eo_rule *rule,
		     const struct eo_rule_doc *d)
{
	EO_CLEANUP(eo_freep) char *patch = semantic_patch(rule);
	const struct eo_rule_duty *duty;

	eo_jsonw_begin_object(w, NULL);
	eo_jsonw_text(w, "name", rule->name);
	eo_jsonw_text(w, "what", rule->what);
	eo_jsonw_text(w, "fix", rule->fix);
	eo_jsonw_text(w, "why", d->why);
	eo_jsonw_text(w, "before", d->before);
	eo_jsonw_text(w, "after", d->after);
	eo_jsonw_begin_array(w, "obligations");
	eo_vec_for_each(duty, &d->duties) {
		eo_jsonw_begin_object(w, NULL);
		eo_jsonw_text(w, "name", duty->name);
		eo_jsonw_text(w, "meaning", duty->meaning);
		eo_jsonw_end(w);
	}
	eo_jsonw_end(w);
	eo_jsonw_text(w, "confidence", d->confidence);
	eo_jsonw_text(w, "fix_class", d->fix);
	eo_jsonw_text(w, "semantic_patch", patch);
	eo_jsonw_text(w, "no_semantic_patch", d->smpl);
	eo_jsonw_end(w);
}

/* @n rules, all that is said of each, as the object "earlyout-rules/1". */
static struct eo_error *print_json(const struct eo_rule *rules, size_t n)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	struct eo_jsonw w = { .to = &out };

	eo_jsonw_begin_object(&w, NULL);
	eo_jsonw_text(&w, "schema", "earlyout-rules/1");
	eo_jsonw_begin_array(&w, "rules");
	for (size_t i = 0; i < n; i++) {
		EO_CLEANUP(eo_rule_doc_release) struct eo_rule_doc d = { 0 };

		eo_try(eo_rule_doc_load(&rules[i], &d));
		add_rule(&w, &rules[i], &d);
	}
	eo_jsonw_end(&w);
	eo_jsonw_end(&w);
	puts(eo_str_get(&out));
	return NULL;
}

static struct eo_error *list(const struct eo_args *args)
{
	size_t n;
	const struct eo_rule *rules = eo_rules_all(&n);

	if (args->format == EO_FORMAT_JSON)
		return print_json(rules, n);
	for (size_t i = 0; i < n; i++)
		printf("%-24s %s\n", rules[i].name, rules[i].what);
	return NULL;
}

static struct eo_error *show(const struct eo_args *args, const char *name)
{
	const struct eo_rule *rule = eo_rules_by_name(name);
	EO_CLEANUP(eo_rule_doc_release) struct eo_rule_doc d = { 0 };

	if (!rule)
		return eo_error_new(
			EO_ERR_USAGE,
			"%s: no such rule; `earlyout rules list` has them",
			name);
	if (args->format == EO_FORMAT_JSON)
		return print_json(rule, 1);
	eo_try(eo_rule_doc_load(rule, &d));
	print_rule(rule, &d);
	return NULL;
}

static struct eo_error *rules_main(const struct eo_args *args, int *exit_code)
{
	(void)exit_code;
	if (args->format > EO_FORMAT_TEXT && args->format != EO_FORMAT_JSON)
		return eo_error_new(EO_ERR_USAGE,
				    "rules knows --format text and json");
	if (args->n_words == 0 ||
	    (args->n_words == 1 && strcmp(args->words[0], "list") == 0))
		return list(args);
	if (args->n_words == 2 && strcmp(args->words[0], "show") == 0)
		return show(args, args->words[1]);
	return eo_error_new(
		EO_ERR_USAGE,
		"rules takes `list` or `show NAME`: see `earlyout rules --help`");
}

const struct eo_command eo_cmd_rules = {
	.allowed = "F",
	.usage = "[list | show NAME]",
	.help = "The rules: what each says of a call and why, an example, the obligations of\n"
		"its proof, how confidence and fix come about.\n\n"
		"examples:\n"
		"  earlyout rules list\n"
		"  earlyout rules show flush-before-walk\n"
		"  earlyout rules list --format json | jq '.rules[].obligations'\n",
	.main = rules_main,
};
