// SPDX-License-Identifier: GPL-2.0-only
#include "base/wire.h"

#include <string.h>

#define NO_STRING UINT32_MAX

void eo_wire_put_u32(struct eo_str *to, uint32_t v)
{
	eo_str_addn(to, &v, sizeof(v));
}

void eo_wire_put_str(struct eo_str *to, const char *s)
{
	if (!s) {
		eo_wire_put_u32(to, NO_STRING);
		return;
	}
	eo_wire_put_u32(to, (uint32_t)strlen(s));
	eo_str_add(to, s);
}

uint32_t eo_wire_get_u32(struct eo_wire *w)
{
	uint32_t v;

	if (w->bad || w->left < sizeof(v)) {
		w->bad = true;
		return 0;
	}
	memcpy(&v, w->p, sizeof(v));
	w->p += sizeof(v);
	w->left -= sizeof(v);
	return v;
}

char *eo_wire_get_str(struct eo_wire *w, struct eo_arena *a)
{
	uint32_t n = eo_wire_get_u32(w);
	char *s;

	if (w->bad || n == NO_STRING)
		return NULL;
	if (n > w->left) {
		w->bad = true;
		return NULL;
	}
	s = eo_arena_strndup(a, w->p, n);
	w->p += n;
	w->left -= n;
	return s;
}
