/* SPDX-License-Identifier: GPL-2.0-only */
/* What the rewriters of idle-visit share. */
#ifndef EO_REWRITE_IDLE_H
#define EO_REWRITE_IDLE_H

#include "rewrite/code.h"

struct eo_loop;
struct eo_step;

/* The finding's first step of that kind, or NULL. */
const struct eo_step *eo_idle_step(const struct eo_finding *f,
				   const char *kind);

/* The innermost loop that the site's atom is in: a turn is a visit. NULL. */
const struct eo_loop *eo_idle_turn(const struct eo_site *site);

/* The model's phrase for the field that @test is of, or NULL. */
const char *eo_idle_phrase(const struct eo_site *site,
			   const struct eo_node *test);
/* A comment that says why there is nothing to do, where that fits on a line. */
const char *eo_idle_comment(const struct eo_code *c, const char *indent,
			    const char *phrase);
/*
 * The test before the lock. @site is at the lock, @test the branch behind it;
 * what the test looks at is the same right behind the lock.
 */
struct eo_error *eo_rewrite_ahead(struct eo_code *c, struct eo_site *site,
				  const struct eo_finding *f, unsigned test);
/* The test before the loop of visits that @site's atom is in. */
struct eo_error *eo_rewrite_once(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f);
/* "!READ_ONCE(s->queued)" */
const char *eo_idle_lockless(const struct eo_code *c, const char *guard);

#endif
