// SPDX-License-Identifier: GPL-2.0-only
/*
 * io_uring with a polling submission thread (SQPOLL): random 4k reads with
 * fixed buffers and a registered file, 128 in flight, 32 a batch, completions
 * polled for. As t/io_uring -p1 -d128 -b4096 -s32 -c1 -F1 -B1 -R1 -n1 does
 * (io_uring mailing list, October 2025).
 *
 * With two CPUs and more the submitter and the polling thread run side by
 * side, I/Os a second are counted, and what a single one waits is timed.
 * With one CPU who runs is a matter of time slices, and I/Os a second say
 * nothing of the work an I/O costs. There the two take turns: the submitter
 * has real-time priority, hands over a batch and sleeps till it is done. Its
 * waking takes the CPU from the polling thread at the end of the turn it is
 * in. The clock of the polling thread then counts its own work, so many
 * turns a batch, the same from boot to boot under -icount. Reading the
 * ring's fdinfo, which asks for one field of that thread's times, is timed
 * there too.
 */
#include <fcntl.h>
#include <liburing.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "verify/bench/guest/guest.h"

#define BLOCK 4096
#define DEPTH 128
#define BATCH 32
#define SPACE_BLOCKS 65536

#define ROUND_TRIPS 2000

struct ring {
	struct io_uring ring;
	clockid_t thread_clock; /* of the polling thread */
	char *buffers;
	uint32_t seed;
};

/* The clock of thread @tid, as clock_gettime(2) takes it. */
static clockid_t clock_of(pid_t tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | 4 | 2);
}

static double thread_ns(const struct ring *r)
{
	struct timespec t;

	if (clock_gettime(r->thread_clock, &t))
		guest_fail("the polling thread has no clock: %m");
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* "SqThread:\t123" in the ring's fdinfo; 0 without. */
static pid_t thread_in(const char *fdinfo)
{
	FILE *f = fopen(fdinfo, "r");
	char line[200];
	int pid = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "SqThread: %d", &pid) == 1)
			break;
	if (f)
		fclose(f);
	return pid;
}

/* Until it has run for the first time, it goes by its maker's number. */
static pid_t polling_thread(int ring_fd)
{
	const struct timespec wait = { .tv_nsec = 1000000 };
	char path[60];
	pid_t pid;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", ring_fd);
	for (int i = 0; i < 1000; i++) {
		pid = thread_in(path);
		if (pid > 0 && pid != gettid())
			return pid;
		nanosleep(&wait, NULL);
	}
	guest_fail("the ring has no polling thread");
}

static void setup(struct ring *r)
{
	const char *device = guest_text("device", "/dev/nullb0");
	struct io_uring_params p = { .flags = IORING_SETUP_SQPOLL |
					      IORING_SETUP_IOPOLL,
				     .sq_thread_idle = 1000 };
	struct iovec iov[DEPTH];
	int fd = open(device, O_RDONLY | O_DIRECT | O_CLOEXEC);
	int err;

	if (fd < 0)
		guest_fail("cannot open %s: %m", device);
	err = io_uring_queue_init_params(DEPTH, &r->ring, &p);
	if (err)
		guest_fail("io_uring_setup: %s", strerror(-err));
	if (posix_memalign((void **)&r->buffers, BLOCK, DEPTH * BLOCK))
		guest_fail("out of memory");
	memset(r->buffers, 0, DEPTH * BLOCK);
	for (int i = 0; i < DEPTH; i++)
		iov[i] = (struct iovec){ r->buffers + i * BLOCK, BLOCK };
	err = io_uring_register_buffers(&r->ring, iov, DEPTH);
	if (!err)
		err = io_uring_register_files(&r->ring, &fd, 1);
	if (err)
		guest_fail("io_uring_register: %s", strerror(-err));
	r->thread_clock = clock_of(polling_thread(r->ring.ring_fd));
	r->seed = 12345;
}

static void queue(struct ring *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&r->ring);
		unsigned slot = r->seed % DEPTH;

		while (!sqe) { /* the thread is behind */
			io_uring_sqring_wait(&r->ring);
			sqe = io_uring_get_sqe(&r->ring);
		}
		r->seed = r->seed * 1664525u + 1013904223u;
		io_uring_prep_read_fixed(
			sqe, 0, r->buffers + slot * BLOCK, BLOCK,
			(uint64_t)(r->seed >> 8) % SPACE_BLOCKS * BLOCK,
			(int)slot);
		sqe->flags |= IOSQE_FIXED_FILE;
	}
	if (io_uring_submit(&r->ring) < 0)
		guest_fail("io_uring_submit failed");
}

/* Takes what has completed, each with @result; the number. */
static unsigned reap(struct ring *r, int result)
{
	struct io_uring_cqe *cqe;
	unsigned head, n = 0;

	io_uring_for_each_cqe(&r->ring, head, cqe)
	{
		if (cqe->res != result)
			guest_fail("an I/O gave %d, not %d", cqe->res, result);
		n++;
	}
	io_uring_cq_advance(&r->ring, n);
	return n;
}

/* Side by side: as fast as it goes. */
static void race(struct ring *r, unsigned batch, long reads)
{
	double wall = wall_ns(), cpu = thread_ns(r);
	long queued = 0, done = 0;

	while (done < reads) {
		while (queued < reads && queued - done + BATCH <= DEPTH) {
			queue(r, BATCH);
			queued += BATCH;
		}
		done += reap(r, BLOCK);
	}
	wall = wall_ns() - wall;
	cpu = thread_ns(r) - cpu;
	guest_sample("iops", batch, (double)done * 1e9 / wall);
	guest_sample("thread", batch, cpu / (double)done);
}

/*
 * What a submission waits for a polling thread that has nothing to do: it is
 * seen at the end of the turn that the thread is in. The median round trip.
 */
static void one_at_a_time(struct ring *r, unsigned batch)
{
	static double times[ROUND_TRIPS];

	for (size_t i = 0; i < ROUND_TRIPS; i++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&r->ring);

		if (!sqe)
			guest_fail("the polling thread takes nothing");
		io_uring_prep_nop(sqe);
		times[i] = wall_ns();
		if (io_uring_submit(&r->ring) < 0)
			guest_fail("io_uring_submit failed");
		while (!reap(r, 0))
			;
		times[i] = wall_ns() - times[i];
	}
	guest_sample("latency", batch, guest_median(times, ROUND_TRIPS));
}

/* Hands over @n reads and sleeps until they are done. */
static void hand_over(struct ring *r, unsigned n)
{
	struct io_uring_cqe *cqe;
	unsigned done = 0;

	queue(r, n);
	while (done < n) {
		if (io_uring_wait_cqe_nr(&r->ring, &cqe, n - done))
			guest_fail("waiting for completions failed");
		done += reap(r, BLOCK);
	}
}

static void take_turns(struct ring *r, const char *name, unsigned batch,
		       unsigned n, long rounds)
{
	double cpu;

	guest_spin();
	cpu = thread_ns(r);
	for (long i = 0; i < rounds; i++)
		hand_over(r, n);
	guest_sample(name, batch, (thread_ns(r) - cpu) / (double)(rounds * n));
}

/* A ring of the same polling thread that has little to say of itself. */
static int small_ring(const struct ring *r)
{
	struct io_uring_params p = { .flags = IORING_SETUP_SQPOLL |
					      IORING_SETUP_ATTACH_WQ,
				     .wq_fd = (unsigned)r->ring.ring_fd };
	static struct io_uring ring;
	int err = io_uring_queue_init_params(1, &ring, &p);

	if (err)
		guest_fail("io_uring_setup: %s", strerror(-err));
	return ring.ring_fd;
}

/* What that says: the system time of its thread, too. */
static void read_fdinfo(int ring, unsigned batch, long reads)
{
	struct guest_times start;
	char path[60];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", ring);
	guest_spin();
	guest_times(&start);
	for (long i = 0; i < reads; i++)
		guest_read(path);
	guest_sample_times("fdinfo", batch, &start, reads);
}

static void in_turns(struct ring *r, long batches, long reads)
{
	const struct sched_param first = { .sched_priority = 1 };
	int ring;

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		guest_fail("no real-time priority: %m; run it as root");
	guest_metric("thread.batch", "ns", false,
		     "the polling thread, an I/O, 32 handed over");
	guest_metric("thread.single", "ns", false,
		     "the polling thread, an I/O, one handed over");
	guest_metric_times("fdinfo", "read of the ring's fdinfo");
	for (unsigned b = 0; b <= batches; b++) {
		take_turns(r, "thread.batch", b, BATCH, reads / BATCH);
		take_turns(r, "thread.single", b, 1, reads / BATCH);
	}
	ring = small_ring(r);
	for (unsigned b = 0; b <= batches; b++)
		read_fdinfo(ring, b, reads / BATCH);
}

static void run(void)
{
	long reads = guest_number("reads", 65536) / BATCH * BATCH;
	long batches = guest_number("batches", 10);
	struct ring r = { 0 };

	if (reads < BATCH)
		guest_fail("reads has to be %d or more", BATCH);
	setup(&r);
	if (guest_cpus() < 2) {
		in_turns(&r, batches, reads);
		return;
	}
	guest_metric("iops", "1/s", true, "random 4k reads");
	guest_metric("thread", "ns", false, "the polling thread, an I/O");
	guest_metric("latency", "ns", false,
		     "a no-op, the polling thread idle before");
	for (unsigned b = 0; b <= batches; b++) {
		race(&r, b, reads);
		one_at_a_time(&r, b);
	}
}

const struct guest_workload guest_sqpoll = {
	.name = "sqpoll",
	.stands_for = "io_uring random 4k reads with a polling submission "
		      "thread",
	.params = "reads=65536 batches=10 device=/dev/nullb0",
	.run = run,
};
