// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/cpio.h"

#include <string.h>
#include <sys/stat.h>

#include "base/str.h"

struct entry {
	const char *name;
	unsigned mode, major, minor;
	const void *data;
	size_t size;
};

static void align(struct eo_str *to, size_t start)
{
	while ((to->len - start) % 4)
		eo_str_addc(to, '\0');
}

/* @start: where the archive begins in @to; all is aligned from there. */
static void add(struct eo_str *to, size_t start, unsigned inode,
		const struct entry *e)
{
	const unsigned fields[] = {
		inode,
		e->mode,
		0, /* user */
		0, /* group */
		1, /* links */
		0, /* time */
		(unsigned)e->size,
		0, /* device */
		0,
		e->major,
		e->minor,
		(unsigned)strlen(e->name) + 1,
		0, /* checksum: none in this format */
	};

	eo_str_add(to, "070701");
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		eo_str_addf(to, "%08X", fields[i]);
	eo_str_addn(to, e->name, strlen(e->name) + 1);
	align(to, start);
	eo_str_addn(to, e->data ? e->data : "", e->size);
	align(to, start);
}

void eo_cpio_initramfs(const void *init, size_t n, struct eo_str *to)
{
	const struct entry entries[] = {
		{ .name = "dev", .mode = S_IFDIR | 0755 },
		{ .name = "dev/console",
		  .mode = S_IFCHR | 0600,
		  .major = 5,
		  .minor = 1 },
		{ .name = "init",
		  .mode = S_IFREG | 0755,
		  .data = init,
		  .size = n },
		{ .name = "TRAILER!!!" },
	};
	size_t start = to->len;

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		add(to, start, (unsigned)i + 1, &entries[i]);
}
