/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the data files are that come with the program (models, semantic
 * patches, style sheets): beside it in the source tree when it runs from
 * build/, else in ../share/earlyout; $EARLYOUT_DATA overrides both.
 */
#ifndef EO_BASE_DATA_H
#define EO_BASE_DATA_H

struct eo_error;

/* "semantic-patches/x.cocci" → its path; the caller frees *out. */
struct eo_error *eo_data_path(const char *name, char **out);

#endif
