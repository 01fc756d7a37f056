/* SPDX-License-Identifier: GPL-2.0-only */
/* Who a review is by. */
#ifndef EO_CLI_WHO_H
#define EO_CLI_WHO_H

struct eo_error;
struct eo_tree;

/* git's user, "Name <address>", else the login; the caller frees *out. */
struct eo_error *eo_who_am_i(const struct eo_tree *tree, char **out);

#endif
