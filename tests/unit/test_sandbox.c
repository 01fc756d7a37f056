// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sandbox, by its limits: each program here tries what it must not, and
 * would do no harm if it could.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "verify/sandbox.h"

struct box {
	char *dir, *in, *out;
	struct eo_bind binds[2];
	struct eo_sandbox s;
	struct eo_proc_result r;
};

static int setup(void **state)
{
	struct box *b = eo_zalloc(sizeof(*b));

	if (eo_temp_dir(&b->dir))
		return -1;
	b->in = eo_path_join(b->dir, "in");
	b->out = eo_path_join(b->dir, "out");
	if (eo_mkdirs(b->in) || eo_mkdirs(b->out))
		return -1;
	b->binds[0] = (struct eo_bind){ b->in, "/src", false };
	b->binds[1] = (struct eo_bind){ b->out, "/out", true };
	b->s = (struct eo_sandbox){ .binds = b->binds,
				    .n_binds = 2,
				    .limits.timeout_ms = 20000 };
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct box *b = *state;

	eo_error_free(eo_remove_tree(b->dir));
	eo_proc_result_release(&b->r);
	free(b->dir);
	free(b->in);
	free(b->out);
	free(b);
	return 0;
}

/* Runs @script with @arg as $1; the tests are skipped without bubblewrap. */
static struct eo_error *sh(struct box *b, const char *script, const char *arg)
{
	const char *const argv[] = { "bash", "-c", script, "bash", arg, NULL };
	const struct eo_proc p = { .argv = argv, .cwd = "/out" };
	static int usable = -1;

	if (usable < 0) {
		struct eo_error *err = eo_sandbox_check();

		usable = !err;
		eo_error_free(err);
	}
	if (!usable)
		skip();
	return eo_sandbox_run(&b->s, &p, &b->r);
}

static void no_error(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static void expect(struct eo_error *err, enum eo_error_kind kind,
		   const char *part)
{
	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), kind);
	if (!strstr(eo_error_message(err), part))
		fail_msg("%s", eo_error_message(err));
	eo_error_free(err);
}

static void test_writes_where_it_may(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->out, "a file");
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	no_error(sh(b, "echo word >'a file'; echo said; echo bad >&2; exit 3",
		    ""));
	assert_int_equal(b->r.status, 3);
	assert_string_equal(eo_str_get(&b->r.out), "said\n");
	assert_string_equal(eo_str_get(&b->r.err), "bad\n");
	no_error(eo_file_read(path, &text));
	assert_string_equal(eo_str_get(&text), "word\n");
}

static void test_writes_nowhere_else(void **state)
{
	struct box *b = *state;

	no_error(sh(b,
		    "for d in /src / /usr /etc /dev /proc/sys/kernel; do\n"
		    "echo x >$d/earlyout-was-here && echo $d; done; exit 0",
		    ""));
	assert_string_equal(eo_str_get(&b->r.out), "");
	assert_int_equal(access("/usr/earlyout-was-here", F_OK), -1);
}

static void test_sees_nothing_of_ours(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *key = eo_path_join(b->dir, "key");

	no_error(eo_file_write(key, "secret\n", 7));
	setenv("EARLYOUT_TEST_SECRET", "secret", 1);
	no_error(sh(
		b,
		"cat \"$1\"; env; ls /home /root /work /var /run 2>/dev/null",
		key));
	unsetenv("EARLYOUT_TEST_SECRET");
	assert_null(strstr(eo_str_get(&b->r.out), "secret"));
	assert_non_null(strstr(eo_str_get(&b->r.out), "HOME=/tmp\n"));
}

static void test_sees_no_other_process(void **state)
{
	struct box *b = *state;

	no_error(sh(b, "kill -0 $1 && echo found; exit 0", "1000000"));
	assert_string_equal(eo_str_get(&b->r.out), "");
	no_error(sh(b, "ls -d /proc/[0-9]* | wc -l", ""));
	assert_true(atoi(eo_str_get(&b->r.out)) < 8);
}

static void test_time(void **state)
{
	struct box *b = *state;

	b->s.limits.timeout_ms = 500;
	expect(sh(b, "trap '' TERM INT; sleep 60 & sleep 60", ""),
	       EO_ERR_TIMEOUT, "bash took longer than 0.5 s");
}

static void test_processes(void **state)
{
	struct box *b = *state;
	struct eo_error *err;

	b->s.limits.processes = 100;
	err = sh(b,
		 "for ((i = 0; i < 500; i++)); do sleep 10 & done\n"
		 "sleep 3; jobs -p | wc -l",
		 "");
	/* the kernel lets it start no more, or else it is ended */
	if (err)
		expect(err, EO_ERR_INPUT, "processes");
	else
		assert_non_null(strstr(eo_str_get(&b->r.err), "fork"));
}

static void test_disk_one_file(void **state)
{
	struct box *b = *state;

	b->s.limits.disk = 8 << 20;
	no_error(sh(b, "head -c 16M /dev/zero >big; stat -c %s big", ""));
	assert_string_equal(eo_str_get(&b->r.out), "8388608\n");
}

static void test_disk_many_files(void **state)
{
	struct box *b = *state;

	b->s.limits.disk = 8 << 20;
	expect(sh(b,
		  "for i in {1..16}; do head -c 1M /dev/urandom >$i; done; sync",
		  ""),
	       EO_ERR_INPUT, "wrote more than the 8 MiB");
}

static void test_disk_elsewhere(void **state)
{
	struct box *b = *state;

	b->s.limits.disk = 8 << 20;
	no_error(sh(b,
		    "for d in /tmp /dev/shm; do\n"
		    "for i in {1..16}; do head -c 1M /dev/zero >$d/$i; done\n"
		    "cat $d/* | wc -c; done 2>/dev/null",
		    ""));
	for (const char *p = eo_str_get(&b->r.out); *p; p = strchr(p, '\n') + 1)
		assert_true(atol(p) <= 8 << 20);
}

static void test_memory(void **state)
{
	struct box *b = *state;
	struct eo_error *err;

	b->s.limits.memory = 64 << 20;
	err = sh(b, "x=$(head -c 300M /dev/zero | tr '\\0' x); echo ${#x}", "");
	if (err)
		expect(err, EO_ERR_INPUT, "memory");
	assert_null(strstr(eo_str_get(&b->r.out), "314572800"));
}

static void test_off_runs_as_we_do(void **state)
{
	struct box *b = *state;
	const char *const argv[] = { "pwd", NULL };
	const struct eo_proc p = { .argv = argv, .cwd = b->in };

	b->s.off = true;
	no_error(eo_sandbox_run(&b->s, &p, &b->r));
	assert_non_null(strstr(eo_str_get(&b->r.out), "/in\n"));
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_writes_where_it_may),
		TEST(test_writes_nowhere_else),
		TEST(test_sees_nothing_of_ours),
		TEST(test_sees_no_other_process),
		TEST(test_time),
		TEST(test_processes),
		TEST(test_disk_one_file),
		TEST(test_disk_many_files),
		TEST(test_disk_elsewhere),
		TEST(test_memory),
		TEST(test_off_runs_as_we_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
