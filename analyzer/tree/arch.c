// SPDX-License-Identifier: GPL-2.0-only
#include "tree/arch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

static const struct {
	const char *machine; /* how uname -m begins */
	const char *dir, *make;
} table[] = {
	{ "x86_64", "x86", "x86_64" },
	{ "i386", "x86", "i386" },
	{ "i486", "x86", "i386" },
	{ "i586", "x86", "i386" },
	{ "i686", "x86", "i386" },
	{ "aarch64", "arm64", "arm64" },
	{ "arm", "arm", "arm" },
	{ "ppc", "powerpc", "powerpc" },
	{ "s390", "s390", "s390" },
	{ "riscv", "riscv", "riscv" },
	{ "loongarch", "loongarch", "loongarch" },
	{ "mips", "mips", "mips" },
	{ "sparc", "sparc", "sparc" },
	{ "parisc", "parisc", "parisc" },
	{ "sh", "sh", "sh" },
	{ "alpha", "alpha", "alpha" },
	{ "m68k", "m68k", "m68k" },
};

static size_t host(void)
{
	struct utsname u;
	size_t i = 0, n = sizeof(table) / sizeof(table[0]);

	if (uname(&u) == 0)
		while (i < n && !eo_starts_with(u.machine, table[i].machine))
			i++;
	return i < n ? i : 0;
}

const char *eo_arch_of_host(void)
{
	return table[host()].dir;
}

const char *eo_arch_for_make(void)
{
	return table[host()].make;
}

char *eo_arch_defconfig(const char *root)
{
	const char *arch = eo_arch_for_make();
	struct utsname u;
	const char *const names[] = { arch, uname(&u) ? arch : u.machine,
				      NULL };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = eo_asprintf("%s/arch/%s/configs/%s%sdefconfig",
					 root, eo_arch_of_host(),
					 names[i] ? names[i] : "",
					 names[i] ? "_" : "");

		if (eo_is_file(path))
			return path;
		free(path);
	}
	return NULL;
}

bool eo_arch_is_foreign(const char *file, const char *arch, char *name,
			size_t size)
{
	size_t n;

	if (!eo_starts_with(file, "arch/"))
		return false;
	n = strcspn(file + 5, "/");
	snprintf(name, size, "%.*s", (int)n, file + 5);
	return file[5 + n] && strcmp(name, arch) != 0;
}
