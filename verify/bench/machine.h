/* SPDX-License-Identifier: GPL-2.0-only */
/* What was measured on: everything about the host that may matter. */
#ifndef EO_VERIFY_BENCH_MACHINE_H
#define EO_VERIFY_BENCH_MACHINE_H

#include <stddef.h>

#include "base/mem.h"

struct eo_machine_fact {
	const char *name, *value;
};

struct eo_machine {
	struct eo_machine_fact *items; /* names differ */
	size_t n, cap;
	struct eo_arena arena;
};

void eo_machine_release(struct eo_machine *m);
/*
 * CPU, microcode, governor, virtualisation, load, kernel, its command line,
 * compiler, QEMU: those that can be found out, each as one line.
 */
void eo_machine_look(struct eo_machine *m);
/* One more fact; a name that is there already is left as it is. */
void eo_machine_add(struct eo_machine *m, const char *name, const char *value);

#endif
