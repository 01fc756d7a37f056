// SPDX-License-Identifier: GPL-2.0-only
/* What may change the contents of a collection between a call and a walk. */
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/live.h"
#include "model/model.h"
#include "rules/path.h"
#include "rules/rule.h"

struct fill {
	const struct eo_site *site;
	const struct eo_node *head; /* a pointer to the collection, or NULL */
	const struct eo_var *var; /* that the collection itself is, or NULL */
	const char *tag; /* of the collection's own struct, or NULL */
};

struct tag_search {
	const struct eo_node *head;
	const char *tag;
};

/* head->first: the walk itself says what struct the head is. */
static void find_tag(const struct eo_node *n, void *data)
{
	struct tag_search *s = data;

	if (n->kind == EO_N_MEMBER && n->n_kids && n->kid[0] == s->head)
		s->tag = n->record;
}

static const char *tag_of_head(const struct eo_loop *loop,
			       const struct eo_node *head)
{
	struct tag_search s = { head, NULL };

	for (size_t i = 0; i < 3; i++)
		eo_node_visit(loop->node->kid[i], find_tag, &s);
	return s.tag;
}

static bool copies(const struct eo_node *place, const char *tag)
{
	for (size_t i = 0; place->copies && place->copies[i]; i++)
		if (eo_streq(place->copies[i], tag))
			return true;
	return false;
}

static bool store_fills(const struct fill *f, const struct eo_node *to)
{
	const struct eo_var *v = eo_place_var(to);

	if (v)
		return v == f->var;
	if (!f->tag || to->kind != EO_N_MEMBER)
		return true;
	return eo_streq(to->record, f->tag) || copies(to, f->tag);
}

/* Whether a call that writes what @arg points to writes to the collection. */
static bool points_to_head(const struct fill *f, const struct eo_node *arg)
{
	return arg && arg->kind == EO_N_ADDR && f->var &&
	       eo_place_var(arg->kid[0]) == f->var;
}

static bool call_fills(const struct fill *f, const struct eo_node *call)
{
	struct eo_call_effect e;

	if (call->name && eo_model_call(f->site->model, call->name))
		return false;
	eo_call_effect(f->site->summaries, call, &e);
	if (e.unknown || e.writes_memory)
		return true;
	if (e.writes && f->var && f->var->scope != EO_VAR_LOCAL)
		return true;
	for (size_t i = 1; i < call->n_kids && i <= 32; i++)
		if (e.summary->writes_params >> (i - 1) & 1 &&
		    points_to_head(f, call->kid[i]))
			return true;
	return false;
}

enum eo_answer eo_path_may_fill(const struct eo_site *site,
				const struct eo_loop *loop, const bool *between,
				struct eo_arena *a, struct eo_reason *why)
{
	const struct eo_node *head = loop->node->walk->head_node;
	struct fill f = { .site = site, .head = head };

	*why = (struct eo_reason){ 0 };
	if (head && head->kind == EO_N_ADDR)
		f.var = eo_place_var(head->kid[0]);
	if (head)
		f.tag = tag_of_head(loop, head);
	for (unsigned i = 0; i < site->f->cfg->n; i++) {
		const struct eo_atom *at = &site->f->cfg->items[i];
		bool fills = false;

		if (!between[i])
			continue;
		if (at->kind == EO_A_STORE)
			fills = store_fills(&f, at->node);
		else if (at->kind == EO_A_CALL)
			fills = call_fills(&f, at->node);
		else if (at->kind == EO_A_ASM)
			fills = at->node->n_kids > 0;
		if (!fills)
			continue;
		why->line = at->node->pos.line;
		why->text = eo_arena_printf(
			a, "%s may be changed here, after the call",
			loop->node->walk->head);
		return EO_PERHAPS;
	}
	return EO_NO;
}
