// SPDX-License-Identifier: GPL-2.0-only
#include "reports/jsonw.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"

static void begin_value(struct eo_jsonw *w, const char *key)
{
	if (w->filled[w->depth])
		eo_str_addc(w->to, ',');
	w->filled[w->depth] = true;
	if (!key)
		return;
	eo_str_add_json(w->to, key);
	eo_str_addc(w->to, ':');
}

static void begin(struct eo_jsonw *w, const char *key, char open, char close)
{
	begin_value(w, key);
	eo_str_addc(w->to, open);
	if (w->depth == EO_JSONW_DEPTH)
		abort(); /* our own nesting is wrong */
	w->closing[w->depth++] = close;
	w->filled[w->depth] = false;
}

void eo_jsonw_begin_object(struct eo_jsonw *w, const char *key)
{
	begin(w, key, '{', '}');
}

void eo_jsonw_begin_array(struct eo_jsonw *w, const char *key)
{
	begin(w, key, '[', ']');
}

void eo_jsonw_end(struct eo_jsonw *w)
{
	eo_str_addc(w->to, w->closing[--w->depth]);
}

void eo_jsonw_text(struct eo_jsonw *w, const char *key, const char *value)
{
	if (!value)
		return;
	begin_value(w, key);
	eo_str_add_json(w->to, value);
}

void eo_jsonw_number(struct eo_jsonw *w, const char *key, int64_t value)
{
	begin_value(w, key);
	eo_str_addf(w->to, "%lld", (long long)value);
}

void eo_jsonw_real(struct eo_jsonw *w, const char *key, double value)
{
	begin_value(w, key);
	if (isfinite(value))
		eo_str_addf(w->to, "%.17g", value);
	else
		eo_str_add(w->to, "null");
}

void eo_jsonw_bool(struct eo_jsonw *w, const char *key, bool value)
{
	begin_value(w, key);
	eo_str_add(w->to, value ? "true" : "false");
}
