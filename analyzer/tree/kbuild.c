// SPDX-License-Identifier: GPL-2.0-only
#include "tree/kbuild.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/expr.h"
#include "tree/makefile.h"

#define MAX_DEPTH 8 /* a variable in a composite in a variable … */

struct kbuild {
	const char *root, *arch;
	struct eo_map makefiles; /* folder → struct eo_makefile */
	struct eo_arena arena;
};

static void kbuild_release(struct kbuild *kb)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &kb->makefiles) {
		eo_makefile_release(e->value);
		free(e->value);
	}
	eo_map_release(&kb->makefiles);
	eo_arena_release(&kb->arena);
}

char *eo_kbuild_makefile(const char *root, const char *dir)
{
	static const char *const names[] = { "Kbuild", "Makefile" };

	for (size_t i = 0; i < 2; i++) {
		char *path = eo_asprintf("%s/%s/%s", root, dir, names[i]);

		if (eo_is_file(path))
			return path;
		free(path);
	}
	return NULL;
}

static struct eo_error *add_makefile(struct kbuild *kb, struct eo_makefile *m,
				     const char *path)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	if (!eo_is_file(path))
		return NULL;
	eo_try(eo_file_read(path, &text));
	eo_makefile_parse(m, eo_str_get(&text), kb->arch);
	return NULL;
}

/* The root's list of folders is spread over three makefiles. */
static struct eo_error *add_root(struct kbuild *kb, struct eo_makefile *m)
{
	EO_CLEANUP(eo_freep) char *kbuild = eo_path_join(kb->root, "Kbuild");
	EO_CLEANUP(eo_freep) char *top = eo_path_join(kb->root, "Makefile");
	EO_CLEANUP(eo_freep)
	char *arch = eo_asprintf("%s/arch/%s/Makefile", kb->root, kb->arch);

	eo_try(add_makefile(kb, m, kbuild));
	eo_try(add_makefile(kb, m, top));
	return add_makefile(kb, m, arch);
}

/* The makefile of a folder, read once; without any, it is empty. */
static struct eo_error *get_makefile(struct kbuild *kb, const char *dir,
				     struct eo_makefile **out)
{
	EO_CLEANUP(eo_freep) char *path = NULL;

	*out = eo_map_get(&kb->makefiles, dir);
	if (*out)
		return NULL;
	*out = eo_zalloc(sizeof(**out));
	eo_map_set(&kb->makefiles, dir, *out);
	if (!*dir)
		return add_root(kb, *out);
	path = eo_kbuild_makefile(kb->root, dir);
	return path ? add_makefile(kb, *out, path) : NULL;
}

/* All CONFIG_ symbols in "obj-$(CONFIG_X)", "obj-$(subst m,y,$(CONFIG_X))". */
static const struct eo_expr *left_condition(struct kbuild *kb, const char *left)
{
	const struct eo_expr *e = eo_expr_parse_cpp(&kb->arena, "1", 1);

	while ((left = strstr(left, "CONFIG_"))) {
		size_t n = 0;

		while (eo_is_ident(left[n]))
			n++;
		e = eo_expr_and(&kb->arena, e,
				eo_expr_macro(&kb->arena, left, n));
		left += n;
	}
	return e;
}

static size_t count(const struct eo_expr *e)
{
	struct eo_map on = { 0 };
	size_t n;

	eo_expr_require(e, true, &on, NULL);
	n = on.n;
	eo_map_release(&on);
	return n;
}

/* The one of two (NULL: none) that is satisfied with fewer symbols. */
static const struct eo_expr *easier(const struct eo_expr *x,
				    const struct eo_expr *y)
{
	if (!x || !y)
		return x ? x : y;
	return count(y) < count(x) ? y : x;
}

/* The length of NAME in "NAME-y", "NAME-objs", "NAME-$(CONFIG_X)"; or 0. */
static size_t composite_name(const char *left)
{
	const char *dollar = strchr(left, '$');
	size_t n = dollar ? (size_t)(dollar - left) : strlen(left);
	static const char *const tails[] = { "-y", "-m", "-objs", "-" };

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		size_t t = strlen(tails[i]);

		if (n <= t || memcmp(left + n - t, tails[i], t))
			continue;
		n -= t;
		if (n > 5 && memcmp(left + n - 5, "-objs", 5) == 0)
			n -= 5;
		return n;
	}
	return 0;
}

static bool is_goal(const char *left, size_t n)
{
	static const char *const goals[] = { "obj",  "lib",	"core",
					     "libs", "drivers", "net",
					     "virt", "head",	"extra" };

	for (size_t i = 0; i < sizeof(goals) / sizeof(goals[0]); i++)
		if (strlen(goals[i]) == n && !memcmp(left, goals[i], n))
			return true;
	return false;
}

static const struct eo_expr *object_condition(struct kbuild *kb,
					      const struct eo_makefile *m,
					      const char *word, unsigned depth);

/* Where the list @left is used: as an object of its own, or by its name. */
static const struct eo_expr *list_condition(struct kbuild *kb,
					    const struct eo_makefile *m,
					    const char *left, unsigned depth)
{
	static const char *const around[][2] = {
		{ "", ".o" },	 { "$(", "-y)" }, { "$(", "-objs)" },
		{ "$(", "-m)" }, { "$(", ")" },
	};
	size_t n = composite_name(left), whole = strlen(left);
	const struct eo_expr *best = NULL;

	if (is_goal(left, n))
		return eo_expr_parse_cpp(&kb->arena, "1", 1);
	for (size_t i = n ? 0 : 4; i < 5; i++) {
		EO_CLEANUP(eo_freep)
		char *word = eo_asprintf("%s%.*s%s", around[i][0],
					 (int)(i < 4 ? n : whole), left,
					 around[i][1]);

		best = easier(best, object_condition(kb, m, word, depth));
	}
	return best;
}

static bool has_word(const struct eo_assignment *as, const char *word)
{
	for (size_t i = 0; i < as->right.n; i++)
		if (strcmp(as->right.items[i], word) == 0)
			return true;
	return false;
}

/* What must hold for @word ("foo.o", "dir/") to be built; NULL: not listed. */
static const struct eo_expr *object_condition(struct kbuild *kb,
					      const struct eo_makefile *m,
					      const char *word, unsigned depth)
{
	const struct eo_expr *best = NULL, *e;
	struct eo_assignment *as;

	if (depth > MAX_DEPTH)
		return NULL;
	eo_vec_for_each(as, m) {
		if (!has_word(as, word))
			continue;
		e = list_condition(kb, m, as->left, depth + 1);
		if (!e)
			continue;
		e = eo_expr_and(&kb->arena, as->when, e);
		e = eo_expr_and(&kb->arena, left_condition(kb, as->left), e);
		best = easier(best, e);
	}
	return best;
}

/* "a/b" → "a", "a" → ""; in place. False when there is nothing above. */
static bool go_up(char *dir)
{
	char *slash = strrchr(dir, '/');

	if (!*dir)
		return false;
	*(slash ? slash : dir) = '\0';
	return true;
}

static struct eo_error *folder_condition(struct kbuild *kb, const char *dir,
					 const struct eo_expr **out);

/*
 * What must hold for @path, which a makefile of a folder above lists as it is
 * called from there; *out is NULL when none does.
 */
static struct eo_error *path_condition(struct kbuild *kb, const char *path,
				       const struct eo_expr **out)
{
	EO_CLEANUP(eo_freep) char *dir = eo_strdup(path);

	*out = NULL;
	if (*dir && dir[strlen(dir) - 1] == '/')
		dir[strlen(dir) - 1] = '\0';
	while (!*out && go_up(dir)) {
		const struct eo_expr *above;
		struct eo_makefile *m;

		eo_try(get_makefile(kb, dir, &m));
		*out = object_condition(kb, m, path + strlen(dir) + !!*dir, 0);
		if (!*out)
			continue;
		eo_try(folder_condition(kb, dir, &above));
		*out = eo_expr_and(&kb->arena, *out, above);
	}
	return NULL;
}

/* What must hold for Kbuild to enter @dir; true when that is not known. */
static struct eo_error *folder_condition(struct kbuild *kb, const char *dir,
					 const struct eo_expr **out)
{
	EO_CLEANUP(eo_freep) char *path = eo_asprintf("%s/", dir);

	*out = NULL;
	if (*dir)
		eo_try(path_condition(kb, path, out));
	if (!*out)
		*out = eo_expr_parse_cpp(&kb->arena, "1", 1);
	return NULL;
}

struct eo_error *eo_kbuild_conditions(const char *root, const char *arch,
				      const char *file, struct eo_map *on,
				      bool *found)
{
	EO_CLEANUP(kbuild_release)
	struct kbuild kb = { .root = root, .arch = arch };
	EO_CLEANUP(eo_freep) char *object = eo_strdup(file);
	const struct eo_expr *e;

	if (eo_ends_with(object, ".c"))
		object[strlen(object) - 1] = 'o';
	eo_try(path_condition(&kb, object, &e));
	*found = e != NULL;
	if (!e) {
		go_up(object);
		eo_try(folder_condition(&kb, object, &e));
	}
	eo_expr_require(e, true, on, NULL);
	return NULL;
}
