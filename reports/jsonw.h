/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes JSON, object by object, for what no single SELECT can give. Text is
 * made UTF-8; a key of NULL is for what stands in an array.
 */
#ifndef EO_REPORTS_JSONW_H
#define EO_REPORTS_JSONW_H

#include <stdbool.h>
#include <stdint.h>

struct eo_str;

#define EO_JSONW_DEPTH 32

struct eo_jsonw {
	struct eo_str *to;
	unsigned depth;
	char closing[EO_JSONW_DEPTH]; /* '}' or ']' */
	bool filled[EO_JSONW_DEPTH + 1]; /* needs a comma before the next */
};

void eo_jsonw_begin_object(struct eo_jsonw *w, const char *key);
void eo_jsonw_begin_array(struct eo_jsonw *w, const char *key);
/* Ends the innermost of both. */
void eo_jsonw_end(struct eo_jsonw *w);

/* NULL is left out, key and all. */
void eo_jsonw_text(struct eo_jsonw *w, const char *key, const char *value);
void eo_jsonw_number(struct eo_jsonw *w, const char *key, int64_t value);
/* What is no number (NaN, infinite) becomes null. */
void eo_jsonw_real(struct eo_jsonw *w, const char *key, double value);
void eo_jsonw_bool(struct eo_jsonw *w, const char *key, bool value);

#endif
