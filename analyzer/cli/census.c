// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/cli.h"
#include "db/hooks.h"
#include "reports/escape.h"
#include "tree/tree.h"
#include "verify/bench/census.h"

/* What is counted, by the workload that it belongs to. */
static const struct {
	const char *name, *file;
} kinds[] = {
	{ "io-stat", "io.stat" },
};

/* Where cgroup version 2 is mounted; the caller frees. */
static char *cgroup_mount(void)
{
	char line[4096], where[1024], type[64];
	FILE *f = fopen("/proc/mounts", "re");
	char *found = NULL;

	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %1023s %63s", where, type) == 2 &&
		    !strcmp(type, "cgroup2"))
			found = eo_strdup(where);
	if (f)
		fclose(f);
	return found ? found : eo_strdup("/sys/fs/cgroup");
}

static struct eo_error *take(struct eo_session *s, const char *file,
			     const char *root)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	struct eo_census_count n;
	struct utsname u;

	uname(&u);
	eo_try(eo_census_take(root, file, &n));

	const struct eo_census c = {
		.file = file,
		.root = root,
		.host = u.nodename,
		.cpus = (unsigned)sysconf(_SC_NPROCESSORS_CONF),
		.files = n.files,
		.empty = n.empty,
		.unread = n.unread,
		.taken = time(NULL),
	};

	eo_try(eo_db_put_census(s->db, s->tree->root, &c));
	eo_add_count(&out, n.empty);
	eo_str_add(&out, " of ");
	eo_add_count(&out, n.files);
	eo_str_addf(&out, " %s files were empty on a %u-CPU host.\n", file,
		    c.cpus);
	if (n.unread) {
		eo_add_count(&out, n.unread);
		eo_str_add(&out, " more could not be read.\n");
	}
	fputs(out.s, stdout);
	return NULL;
}

static struct eo_error *census_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	EO_CLEANUP(eo_freep) char *mount = NULL;
	const char *file = NULL;

	(void)exit_code;
	for (size_t i = 0;
	     args->n_words == 1 && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, args->words[0]))
			file = kinds[i].file;
	if (!file)
		return eo_error_new(
			EO_ERR_USAGE,
			"census takes io-stat: see `earlyout census --help`");
	eo_try(eo_session_open(args, &s));
	mount = cgroup_mount();
	return take(&s, file, args->bench.root ? args->bench.root : mount);
}

const struct eo_command eo_cmd_census = {
	.allowed = "tdqv0",
	.usage = "[OPTION…] io-stat",
	.help = "Counts on this host how many io.stat files are empty, which says how common the\n"
		"case is that a patch makes faster, and keeps that in the database.\n\n"
		"example:\n"
		"  earlyout census io-stat\n"
		"  earlyout census io-stat --root /sys/fs/cgroup/system.slice\n",
	.main = census_main,
};
