// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/qemu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "verify/bench/record.h"

#define QEMU "qemu-system-x86_64"
#define MAX_ARGS 48

/* A panic reboots at once, and -no-reboot makes that QEMU's end. */
#define APPEND                                                        \
	"console=ttyS0 loglevel=5 panic=-1 oops=panic nokaslr "       \
	"null_blk.nr_devices=1 null_blk.poll_queues=1 null_blk.gb=1 " \
	"tsc=reliable no_timer_check "
/*
 * When instructions are counted, the kernel finds the APIC's timer to be too
 * slow and does not use it, after a test that takes nine tenths of the boot.
 * One CPU needs none; it has the HPET.
 */
#define NO_APIC_TIMER "nolapic_timer "

/* The files of one boot. */
struct files {
	char *dir, *console, *results;
};

static void files_release(struct files *f)
{
	if (f->dir)
		eo_error_free(eo_remove_tree(f->dir));
	free(f->dir);
	free(f->console);
	free(f->results);
}

static struct eo_error *files_make(struct files *f)
{
	eo_try(eo_temp_dir(&f->dir));
	f->console = eo_path_join(f->dir, "console");
	f->results = eo_path_join(f->dir, "results");
	return NULL;
}

bool eo_boot_has_kvm(void)
{
	return access("/dev/kvm", R_OK | W_OK) == 0;
}

/* Commas separate QEMU's suboptions: in a value they are doubled. */
static char *suboption(struct eo_arena *a, const char *head, const char *value)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	eo_str_add(&s, head);
	for (; *value; value++) {
		if (*value == ',')
			eo_str_addc(&s, ',');
		eo_str_addc(&s, *value);
	}
	return eo_arena_strdup(a, s.s);
}

struct args {
	const char *v[MAX_ARGS];
	size_t n;
};

static void add(struct args *to, const char *option, const char *value)
{
	to->v[to->n++] = option;
	if (value)
		to->v[to->n++] = value;
}

static void build_args(const struct eo_boot *b, const struct files *f,
		       struct eo_arena *a, struct args *to)
{
	bool kvm = b->kvm && !b->icount, absent = b->possible > b->cpus;

	add(to, QEMU, NULL);
	add(to, "-nodefaults", NULL);
	add(to, "-no-user-config", NULL);
	add(to, "-no-reboot", NULL);
	add(to, "-display", "none");
	/*
	 * A kernel counts absent CPUs as possible when it knows a hypervisor
	 * that it runs on. It does not know TCG, but the VMware port, which
	 * QEMU has; it looks there when the CPU names no other and the
	 * machine's name says so. So 16 or 64 possible CPUs cost no more time
	 * than one: 8 s a boot instead of the 27 s and 100 s that emulating
	 * all of them takes.
	 */
	add(to, "-machine", "pc,vmport=on");
	if (absent)
		add(to, "-smbios", "type=1,serial=VMware-earlyout");
	add(to, "-accel",
	    kvm	      ? "kvm" :
	    b->icount ? "tcg,thread=single" :
			"tcg,thread=multi");
	add(to, "-cpu",
	    eo_arena_printf(a, "%s%s", kvm ? "host" : "max",
			    absent ? ",hypervisor=off" : ""));
	if (b->icount)
		add(to, "-icount", "shift=0,sleep=off");
	if (b->plugin) {
		add(to, "-plugin",
		    eo_arena_printf(a, "%s%s", suboption(a, "file=", b->plugin),
				    suboption(a, ",out=", b->counts)));
	}
	add(to, "-smp",
	    eo_arena_printf(a, "%u,maxcpus=%u", b->cpus,
			    b->possible > b->cpus ? b->possible : b->cpus));
	add(to, "-m", eo_arena_printf(a, "%u", b->memory_mb));
	add(to, "-kernel", b->kernel);
	add(to, "-initrd", b->initramfs);
	add(to, "-append",
	    eo_arena_printf(a, APPEND "%s-- earlyout %s",
			    b->icount && b->cpus == 1 ? NO_APIC_TIMER : "",
			    b->workload));
	add(to, "-chardev", suboption(a, "file,id=c,path=", f->console));
	add(to, "-serial", "chardev:c");
	add(to, "-chardev", suboption(a, "file,id=r,path=", f->results));
	add(to, "-serial", "chardev:r");
	add(to, NULL, NULL);
}

/* What the kernel printed when it died, to be said in one line. */
static const char *cause_of_death(const struct eo_str *console)
{
	static const struct {
		const char *sign, *cause;
	} causes[] = {
		{ "BUG: unable to handle", "the kernel oopsed" },
		{ "general protection fault", "the kernel oopsed" },
		{ "Oops", "the kernel oopsed" },
		{ "kernel BUG at", "the kernel hit a BUG()" },
		{ "Kernel panic", "the kernel panicked" },
	};

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (strstr(eo_str_get(console), causes[i].sign))
			return causes[i].cause;
	return NULL;
}

/* The guest's end, as an error or as results. */
static struct eo_error *judge(const struct files *f, struct eo_error *err,
			      struct eo_record *out, struct eo_str *console)
{
	EO_CLEANUP(eo_str_release) struct eo_str results = { 0 };
	const char *cause;

	/* A QEMU that is killed may have written neither file. */
	eo_error_free(eo_file_read(f->console, console));
	cause = cause_of_death(console);
	if (err && eo_error_kind(err) != EO_ERR_TIMEOUT)
		return err;
	if (cause || err) {
		eo_error_free(err);
		return eo_error_new(EO_ERR_INPUT, "%s",
				    cause ? cause :
					    "the guest hung: no end in time");
	}
	eo_try(eo_file_read(f->results, &results));
	if (!results.len)
		return eo_error_new(EO_ERR_INPUT,
				    "the guest ended without a result");
	return eo_record_parse("results", results.s, results.len, true, out);
}

struct eo_error *eo_boot_run(const struct eo_boot *boot, struct eo_record *out,
			     struct eo_str *console)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_arena_release) struct eo_arena arena = { 0 };
	EO_CLEANUP(files_release) struct files files = { 0 };
	struct args args = { .n = 0 };
	struct eo_proc proc = { .argv = args.v,
				.timeout_ms = boot->timeout_s * 1000 };
	struct eo_error *err;

	eo_try(files_make(&files));
	build_args(boot, &files, &arena, &args);
	err = eo_proc_run(&proc, &r);
	if (!err && r.status)
		err = eo_error_new(EO_ERR_ENV, "%s ended with status %d: %s",
				   QEMU, r.status, eo_str_get(&r.err));
	return judge(&files, err, out, console);
}

struct eo_error *eo_boot_version(char **out)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const char *const argv[] = { QEMU, "--version", NULL };
	struct eo_proc proc = { .argv = argv, .timeout_ms = 10000 };

	eo_try(eo_proc_check(&proc, &r));
	*out = eo_strndup(eo_str_get(&r.out),
			  strcspn(eo_str_get(&r.out), "\n"));
	return NULL;
}
