// SPDX-License-Identifier: GPL-2.0-only
#include "facts/callers.h"

#include <stdlib.h>
#include <string.h>

#include "tu/unit.h"

struct visitor {
	struct eo_callers *out;
	const char *function; /* whose body this is */
	struct eo_use *use;
};

static struct eo_use *use_of(struct eo_callers *c, const char *function)
{
	struct eo_use *use = eo_map_get(&c->uses, function);

	if (use)
		return use;
	use = eo_arena_new(&c->arena, struct eo_use);
	eo_map_set(&c->uses, function, use);
	return use;
}

static void add_name(struct eo_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->items[i], name) == 0)
			return;
	*eo_vec_push(names) = name;
}

/* A direct call: the function it names is more than mentioned. */
static void note_call(struct visitor *v, CXCursor call)
{
	CXCursor ref = clang_getCursorReferenced(call);

	if (clang_getCursorKind(ref) == CXCursor_FunctionDecl)
		add_name(&use_of(v->out,
				 eo_unit_string(&v->out->arena,
						clang_getCursorSpelling(ref)))
				  ->called_by,
			 v->function);
}

/* A static variable outside of functions: who has to do with it? */
static void note_static(struct visitor *v, CXCursor var)
{
	CXCursor scope = clang_getCursorSemanticParent(var);
	struct eo_names *names;
	const char *name;

	if (clang_getCursorKind(scope) != CXCursor_TranslationUnit ||
	    clang_getCursorLinkage(var) != CXLinkage_Internal)
		return;
	name = eo_unit_string(&v->out->arena, clang_getCursorSpelling(var));
	names = eo_map_get(&v->out->statics, name);
	if (!names) {
		names = eo_arena_new(&v->out->arena, struct eo_names);
		eo_map_set(&v->out->statics, name, names);
	}
	add_name(names, v->function);
}

static enum CXChildVisitResult visit_ref(CXCursor c, CXCursor parent,
					 CXClientData data)
{
	struct visitor *v = data;
	const char *name;
	CXCursor ref;

	(void)parent;
	if (clang_getCursorKind(c) == CXCursor_CallExpr)
		note_call(v, c);
	if (clang_getCursorKind(c) != CXCursor_DeclRefExpr)
		return CXChildVisit_Recurse;
	ref = clang_getCursorReferenced(c);
	if (clang_getCursorKind(ref) == CXCursor_VarDecl)
		note_static(v, ref);
	if (clang_getCursorKind(ref) != CXCursor_FunctionDecl)
		return CXChildVisit_Recurse;
	name = eo_unit_string(&v->out->arena, clang_getCursorSpelling(ref));
	add_name(&v->use->callees, name);
	use_of(v->out, name)->mentions++;
	if (strcmp(name, v->function))
		add_name(&use_of(v->out, name)->callers, v->function);
	return CXChildVisit_Recurse;
}

static void visit_slot(const char *member, const char *function, bool assigned,
		       void *data)
{
	struct eo_callers *c = data;
	struct eo_use *use = use_of(c, function);

	use->assigned += assigned;
	add_name(&use->slots, eo_arena_strdup(&c->arena, member));
}

void eo_callers_build(struct eo_unit *u, struct eo_callers *out)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &u->functions) {
		const struct eo_unit_function *uf = e->value;
		struct visitor v = { .out = out, .function = uf->name };

		if (!uf->in_main)
			continue;
		v.use = use_of(out, uf->name);
		v.use->in_main = true;
		v.use->is_static = clang_Cursor_getStorageClass(uf->cursor) ==
				   CX_SC_Static;
		clang_visitChildren(uf->cursor, visit_ref, &v);
	}
	eo_unit_slots(u, visit_slot, out);
}

void eo_callers_release(struct eo_callers *c)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &c->uses) {
		struct eo_use *use = e->value;

		free(use->callees.items);
		free(use->callers.items);
		free(use->called_by.items);
		free(use->slots.items);
	}
	eo_map_for_each(e, &c->statics)
		free(((struct eo_names *)e->value)->items);
	eo_map_release(&c->uses);
	eo_map_release(&c->statics);
	eo_arena_release(&c->arena);
}

const struct eo_use *eo_callers_use(const struct eo_callers *c,
				    const char *function)
{
	return eo_map_get(&c->uses, function);
}

const struct eo_names *eo_callers_of_static(const struct eo_callers *c,
					    const char *name)
{
	return eo_map_get(&c->statics, name);
}

bool eo_callers_mentions(const struct eo_callers *c, const char *function,
			 const char *callee)
{
	const struct eo_use *use = eo_callers_use(c, function);

	for (size_t i = 0; use && i < use->callees.n; i++)
		if (strcmp(use->callees.items[i], callee) == 0)
			return true;
	return false;
}
