// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin of QEMU's TCG: counts the guest's instructions by the block of
 * code that they are in, and writes "ADDRESS COUNT" lines, both unsigned, the
 * address in hexadecimal, to the file that "out=" names.
 *
 * Debian's QEMU loads plugins and comes without their header. What is used of
 * the interface is declared here (version 1, docs/devel/tcg-plugins.rst of
 * QEMU 7.2); the program that loads this has the functions.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
enum { INLINE_ADD_U64 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
					   void (*fn)(plugin_id,
						      struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, int op,
					      void *ptr, uint64_t imm);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*fn)(plugin_id, void *),
				    void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);

extern int qemu_plugin_version;
int qemu_plugin_version = 1;
int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

#define BUCKETS 65536

struct block {
	uint64_t address, count;
	struct block *next;
};

static struct block *blocks[BUCKETS];
static char *out;

static struct block *block_at(uint64_t address)
{
	struct block **b = &blocks[(address >> 1) % BUCKETS];

	while (*b && (*b)->address != address)
		b = &(*b)->next;
	if (!*b) {
		*b = calloc(1, sizeof(**b));
		if (!*b)
			abort();
		(*b)->address = address;
	}
	return *b;
}

/* A block may be translated again, and be of another length then. */
static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	struct block *b = block_at(qemu_plugin_tb_vaddr(tb));

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_inline(tb, INLINE_ADD_U64, &b->count,
						 qemu_plugin_tb_n_insns(tb));
}

static void at_exit(plugin_id id, void *data)
{
	FILE *f = fopen(out, "w");

	(void)id;
	(void)data;
	for (size_t i = 0; f && i < BUCKETS; i++)
		for (const struct block *b = blocks[i]; b; b = b->next)
			if (b->count)
				fprintf(f, "%llx %llu\n",
					(unsigned long long)b->address,
					(unsigned long long)b->count);
	if (f)
		fclose(f);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4) != 0)
		return -1;
	out = strdup(argv[0] + 4);
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);
	return 0;
}
