// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/data.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "rules/rule.h"

static void list(void)
{
	size_t n;
	const struct eo_rule *rules = eo_rules_all(&n);

	for (size_t i = 0; i < n; i++)
		printf("%-24s %s\n", rules[i].name, rules[i].what);
}

static struct eo_error *show(const char *name)
{
	const struct eo_rule *rule = eo_rules_by_name(name);
	EO_CLEANUP(eo_freep) char *file = NULL;
	EO_CLEANUP(eo_freep) char *path = NULL;
	struct eo_error *err;

	if (!rule)
		return eo_error_new(
			EO_ERR_USAGE,
			"%s: no such rule; `earlyout rules list` has them",
			name);
	printf("%s\n\nwhat: a call of the model, and %s\nfix:  %s\n",
	       rule->name, rule->what, rule->fix);
	file = eo_asprintf("semantic-patches/%s.cocci", rule->name);
	err = eo_data_path(file, &path);
	printf("SmPL: %s\n",
	       err ? "none, it is for the other engine alone" : path);
	eo_error_free(err);
	return NULL;
}

static struct eo_error *rules_main(const struct eo_args *args, int *exit_code)
{
	(void)exit_code;
	if (args->n_words == 0 ||
	    (args->n_words == 1 && strcmp(args->words[0], "list") == 0)) {
		list();
		return NULL;
	}
	if (args->n_words == 2 && strcmp(args->words[0], "show") == 0)
		return show(args->words[1]);
	return eo_error_new(
		EO_ERR_USAGE,
		"rules takes `list` or `show NAME`: see `earlyout rules --help`");
}

const struct eo_command eo_cmd_rules = {
	.allowed = "",
	.usage = "[list | show NAME]",
	.help = "The rules: what each says of a call, and the fix.\n\n"
		"examples:\n"
		"  earlyout rules list\n"
		"  earlyout rules show flush-before-walk\n",
	.main = rules_main,
};
