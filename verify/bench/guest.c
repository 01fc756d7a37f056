// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/guest.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "verify/bench/cpio.h"

const struct eo_workload eo_workloads[] = {
	{
		.name = "io-stat",
		.stands_for = "an agent that reads every group's io.stat",
		.time = "reads=20000 batches=5",
		.count = "reads=4000 batches=3",
		.counts = true,
		.cpus = 1,
	},
	{
		.name = "cgroup-stat",
		.stands_for =
			"a monitor that reads cpu.stat and memory.stat of 1,600 groups",
		.time = "groups=1600 rounds=4 batches=3",
		.count = "groups=1600 rounds=1 batches=1",
		.counts = true,
		.cpus = 1,
	},
	{
		.name = "sqpoll",
		.stands_for =
			"a storage server that reads by io_uring with SQPOLL",
		.time = "reads=65536 batches=10",
		.count = "reads=16384 batches=3",
		.counts = true,
		.cpus = 2,
	},
	{
		.name = "flush-storm",
		.stands_for = "many readers of cgroup counters on a busy host",
		.time = "groups=64 reads=2000 batches=5",
		.count = "",
		.cpus = 2,
	},
};

const unsigned eo_n_workloads = sizeof(eo_workloads) / sizeof(eo_workloads[0]);

const struct eo_workload *eo_workload_find(const char *name)
{
	for (unsigned i = 0; i < eo_n_workloads; i++)
		if (!strcmp(eo_workloads[i].name, name))
			return &eo_workloads[i];
	return NULL;
}

/* A file that is installed with this program. */
static struct eo_error *beside(const char *name, char **out)
{
	static const char *const places[] = { "guest", "../guest",
					      "../libexec/earlyout" };
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	const char *dir;

	if (n < 0)
		return eo_error_errno(errno, "cannot find this program");
	exe[n] = '\0';
	dir = dirname(exe);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		*out = eo_asprintf("%s/%s/%s", dir, places[i], name);
		if (access(*out, R_OK) == 0)
			return NULL;
		eo_freep(out);
		*out = NULL;
	}
	return eo_error_new(
		EO_ERR_ENV,
		"%s, which a bench needs: not found near %s; `make` builds it",
		name, dir);
}

struct eo_error *eo_guest_path(char **out)
{
	return beside("earlyout-guest", out);
}

struct eo_error *eo_guest_plugin(char **out)
{
	return beside("earlyout-count.so", out);
}

struct eo_error *eo_guest_initramfs(const char *path)
{
	EO_CLEANUP(eo_str_release) struct eo_str program = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str archive = { 0 };
	EO_CLEANUP(eo_freep) char *guest = NULL;

	eo_try(eo_guest_path(&guest));
	eo_try(eo_file_read(guest, &program));
	eo_cpio_initramfs(program.s, program.len, &archive);
	return eo_file_write(path, archive.s, archive.len);
}
