// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening, reading and closing io.stat: of a control group that has done no
 * I/O, so that the file is empty, and of one that has. An agent that samples
 * every group of a host does this all day; on one of 316 CPUs 340 of 969
 * such files were empty (blk-cgroup, September 2026).
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verify/bench/guest/guest.h"

#define SECTOR 4096

/* Real I/O, past the page cache, on behalf of the group. */
static void do_io(void *arg)
{
	const char *device = arg;
	void *buf;
	int fd;

	guest_cgroup_join("populated");
	fd = open(device, O_RDWR | O_DIRECT | O_CLOEXEC);
	if (fd < 0 || posix_memalign(&buf, SECTOR, SECTOR))
		_exit(1);
	memset(buf, 0, SECTOR);
	for (int i = 0; i < 16; i++)
		if (pread(fd, buf, SECTOR, i * SECTOR) != SECTOR)
			_exit(2);
	/* Only a device that keeps nothing is written to. */
	if (!strcmp(device, "/dev/nullb0") &&
	    pwrite(fd, buf, SECTOR, 0) != SECTOR)
		_exit(3);
}

static void measure(const char *name, const char *path, unsigned batch,
		    long reads)
{
	struct guest_times start;

	if (!guest_wants(name))
		return;
	guest_spin();
	guest_times(&start);
	for (long i = 0; i < reads; i++)
		guest_read(path);
	guest_sample_times(name, batch, &start, reads);
}

static void run(void)
{
	long reads = guest_number("reads", 20000);
	long batches = guest_number("batches", 35);
	char empty[300], populated[300];

	guest_cgroup_init("+io +memory");
	guest_cgroup_make("empty");
	guest_cgroup_make("populated");
	strcpy(empty, guest_cgroup_path("empty", "io.stat"));
	strcpy(populated, guest_cgroup_path("populated", "io.stat"));
	guest_child(do_io, (void *)guest_text("device", "/dev/nullb0"));
	if (guest_read(empty) != 0)
		guest_fail("%s is not empty", empty);
	if (guest_read(populated) <= 0)
		guest_fail("%s is empty: the I/O was not counted", populated);
	if (guest_wants("empty"))
		guest_metric_times("empty", "read of an empty io.stat");
	if (guest_wants("populated"))
		guest_metric_times("populated", "read of a populated io.stat");
	for (unsigned b = 0; b <= batches; b++) {
		measure("empty", empty, b, reads);
		measure("populated", populated, b, reads);
	}
	guest_cgroup_exit();
}

const struct guest_workload guest_io_stat = {
	.name = "io-stat",
	.stands_for = "open, read and close io.stat, empty and populated",
	.params =
		"reads=20000 batches=35 only=CASE device=/dev/nullb0 cgroup=DIR",
	.run = run,
};
