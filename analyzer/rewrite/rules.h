/* SPDX-License-Identifier: GPL-2.0-only */
/* Our own rewriters, one a rule; see eo_rewrite_fn. */
#ifndef EO_REWRITE_RULES_H
#define EO_REWRITE_RULES_H

#include "rewrite/code.h"

struct eo_error *eo_rewrite_idle(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f);

struct eo_error *eo_rewrite_field(struct eo_code *c, const struct eo_site *site,
				  const struct eo_finding *f);
struct eo_error *eo_rewrite_lazy(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f);

struct eo_error *eo_rewrite_drop(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f);

/* The call behind the test; where that cannot be, the test before the call. */
struct eo_error *eo_rewrite_check(struct eo_code *c, const struct eo_site *site,
				  const struct eo_finding *f);
struct eo_error *eo_rewrite_hoist(struct eo_code *c, const struct eo_site *site,
				  const struct eo_finding *f);

struct eo_error *eo_rewrite_form(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f);

struct eo_error *eo_rewrite_unloop(struct eo_code *c,
				   const struct eo_site *site,
				   const struct eo_finding *f);

struct eo_error *eo_rewrite_under(struct eo_code *c, const struct eo_site *site,
				  const struct eo_finding *f);

#endif
