// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/fragment.h"

#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "tree/dotconfig.h"

/*
 * HYPERVISOR_GUEST and DMI let the kernel see that it is a guest, and take
 * absent CPUs for such as may be plugged in: possible ones, of which QEMU
 * need not emulate any.
 */
const char eo_bench_fragment[] = "CONFIG_64BIT=y\n"
				 "CONFIG_SMP=y\n"
				 "CONFIG_NR_CPUS=64\n"
				 "CONFIG_HOTPLUG_CPU=y\n"
				 "CONFIG_EXPERT=y\n"
				 "CONFIG_CC_OPTIMIZE_FOR_PERFORMANCE=y\n"
				 "CONFIG_UNWINDER_GUESS=y\n"
				 "CONFIG_HYPERVISOR_GUEST=y\n"
				 "CONFIG_DMI=y\n"
				 "CONFIG_ACPI=y\n"
				 "CONFIG_PCI=y\n"
				 "CONFIG_PRINTK=y\n"
				 "CONFIG_BUG=y\n"
				 "CONFIG_KALLSYMS=y\n"
				 "CONFIG_TTY=y\n"
				 "CONFIG_SERIAL_8250=y\n"
				 "CONFIG_SERIAL_8250_CONSOLE=y\n"
				 "CONFIG_BLK_DEV_INITRD=y\n"
				 "CONFIG_BINFMT_ELF=y\n"
				 "CONFIG_PROC_FS=y\n"
				 "CONFIG_SYSFS=y\n"
				 "CONFIG_DEVTMPFS=y\n"
				 "CONFIG_SHMEM=y\n"
				 "CONFIG_MULTIUSER=y\n"
				 "CONFIG_POSIX_TIMERS=y\n"
				 "CONFIG_FUTEX=y\n"
				 "CONFIG_EPOLL=y\n"
				 "CONFIG_EVENTFD=y\n"
				 "CONFIG_HIGH_RES_TIMERS=y\n"
				 "CONFIG_BLOCK=y\n"
				 "CONFIG_BLK_DEV=y\n"
				 "CONFIG_BLK_DEV_NULL_BLK=y\n"
				 "CONFIG_CGROUPS=y\n"
				 "CONFIG_CGROUP_SCHED=y\n"
				 "CONFIG_MEMCG=y\n"
				 "CONFIG_BLK_CGROUP=y\n"
				 "CONFIG_IO_URING=y\n"
				 "CONFIG_SWAP=y\n"
				 "CONFIG_ZSWAP=y\n";

const char eo_bench_fragment_words[] =
	"allnoconfig with cgroups, block, io_uring and null_blk, -O2";

/* From lib/Kconfig.debug and its neighbours: option, what people call it. */
static const struct {
	const char *option, *name;
} distorting[] = {
	{ "LOCKDEP", "lockdep" },
	{ "PROVE_LOCKING", "PROVE_LOCKING" },
	{ "PROVE_RCU", "PROVE_RCU" },
	{ "LOCK_STAT", "LOCK_STAT" },
	{ "KASAN", "KASAN" },
	{ "KCSAN", "KCSAN" },
	{ "KMSAN", "KMSAN" },
	{ "KFENCE", "KFENCE" },
	{ "UBSAN", "UBSAN" },
	{ "KCOV", "KCOV" },
	{ "GCOV_KERNEL", "GCOV_KERNEL" },
	{ "DEBUG_KMEMLEAK", "DEBUG_KMEMLEAK" },
	{ "DEBUG_PAGEALLOC", "DEBUG_PAGEALLOC" },
	{ "DEBUG_SPINLOCK", "DEBUG_SPINLOCK" },
	{ "DEBUG_MUTEXES", "DEBUG_MUTEXES" },
	{ "DEBUG_RWSEMS", "DEBUG_RWSEMS" },
	{ "DEBUG_ATOMIC_SLEEP", "DEBUG_ATOMIC_SLEEP" },
	{ "DEBUG_PREEMPT", "DEBUG_PREEMPT" },
	{ "DEBUG_OBJECTS", "DEBUG_OBJECTS" },
	{ "DEBUG_LIST", "DEBUG_LIST" },
	{ "DEBUG_VM", "DEBUG_VM" },
	{ "DEBUG_PER_CPU_MAPS", "DEBUG_PER_CPU_MAPS" },
	{ "DEBUG_STACKOVERFLOW", "DEBUG_STACKOVERFLOW" },
	{ "SLUB_DEBUG_ON", "SLUB_DEBUG_ON" },
	{ "PAGE_POISONING", "PAGE_POISONING" },
	{ "PAGE_OWNER", "PAGE_OWNER" },
	{ "FAULT_INJECTION", "FAULT_INJECTION" },
	{ "READABLE_ASM", "READABLE_ASM" },
};

/* Once, of however many kernels. */
static void add(struct eo_str *out, const char *name)
{
	if (strstr(eo_str_get(out), name))
		return;
	eo_str_addf(out, "%s%s", out->len ? ", " : "", name);
}

struct eo_error *eo_config_distorting(const char *path, struct eo_str *out)
{
	EO_CLEANUP(eo_map_release) struct eo_map config = { 0 };

	eo_try(eo_dotconfig_read(path, &config));
	for (size_t i = 0; i < sizeof(distorting) / sizeof(distorting[0]); i++)
		if (eo_dotconfig_yes(&config, distorting[i].option))
			add(out, distorting[i].name);
	return NULL;
}

const char *eo_distorting_name(size_t i)
{
	return i < sizeof(distorting) / sizeof(distorting[0]) ?
		       distorting[i].name :
		       NULL;
}

void eo_cmdline_distorting(const char *cmdline, struct eo_str *out)
{
	static const char *const words[] = { "slub_debug",	"slab_debug",
					     "page_poison",	"page_owner",
					     "debug_pagealloc", "kmemleak" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *p = strstr(cmdline, words[i]);

		if (p && (p == cmdline || p[-1] == ' ') &&
		    strncmp(p + strlen(words[i]), "=off", 4) != 0 &&
		    strncmp(p + strlen(words[i]), "=0", 2) != 0)
			add(out, words[i]);
	}
}
