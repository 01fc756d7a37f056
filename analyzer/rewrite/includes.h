/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The #include of a header that a change has made needless: it declares what
 * was replaced, and nothing else of it is used in the file. Names are looked
 * for in all of the file's text, so code behind an #if counts, whatever the
 * configuration; and in all of the header's.
 */
#ifndef EO_REWRITE_INCLUDES_H
#define EO_REWRITE_INCLUDES_H

struct eo_change;
struct eo_changed_file;
struct eo_error;
struct eo_model_call;
struct eo_overlay;
struct eo_source;

/*
 * Takes such lines out of @file, a .c file of @out, whose text is in @now
 * already; puts the new text there, and a note into @out. @call is what was
 * replaced. An #include stays where there is any doubt: that is no error.
 */
struct eo_error *eo_includes_drop(const struct eo_source *src,
				  struct eo_overlay *now,
				  const struct eo_model_call *call,
				  struct eo_changed_file *file,
				  struct eo_change *out);

#endif
