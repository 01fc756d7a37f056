// SPDX-License-Identifier: GPL-2.0-only
#include "tree/tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"

#define GIT_TIMEOUT_MS 60000

/* The value of "NAME = value" in a makefile, or NULL; the caller frees. */
static char *make_variable(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = text; p; p = strchr(p, '\n')) {
		const char *s;

		p += *p == '\n';
		if (strncmp(p, name, n))
			continue;
		s = p + n;
		s += strspn(s, " \t");
		if (*s == ':')
			s++;
		if (*s == '=')
			return eo_squeeze(s + 1, strcspn(s + 1, "#\n"));
	}
	return NULL;
}

/* As the top Makefile itself makes KERNELVERSION; NULL: not a kernel's. */
static char *version_of(const char *makefile)
{
	EO_CLEANUP(eo_freep) char *v = make_variable(makefile, "VERSION");
	EO_CLEANUP(eo_freep) char *p = make_variable(makefile, "PATCHLEVEL");
	EO_CLEANUP(eo_freep) char *s = make_variable(makefile, "SUBLEVEL");
	EO_CLEANUP(eo_freep) char *e = make_variable(makefile, "EXTRAVERSION");

	if (!v || !p || !isdigit((unsigned char)*v) ||
	    !isdigit((unsigned char)*p))
		return NULL;
	return eo_asprintf("%s.%s%s%s%s", v, p, s && *s ? "." : "", s ? s : "",
			   e ? e : "");
}

static bool has(const char *dir, const char *name, bool folder)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, name);

	return folder ? eo_is_dir(path) : eo_is_file(path);
}

/* What makes @dir no kernel tree, or NULL; then *version is set. */
static const char *lacks(const char *dir, char **version)
{
	static const struct {
		const char *name;
		bool folder;
	} parts[] = { { "Kbuild", false },	 { "Kconfig", false },
		      { "include/linux", true }, { "arch", true },
		      { "kernel", true },	 { "scripts", true } };
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_freep) char *makefile = eo_path_join(dir, "Makefile");

	if (!eo_is_file(makefile))
		return "Makefile";
	if (access(makefile, R_OK))
		return "Makefile that may be read";
	eo_error_free(eo_file_read(makefile, &text));
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!has(dir, parts[i].name, parts[i].folder))
			return parts[i].name;
	*version = version_of(eo_str_get(&text));
	return *version ? NULL : "VERSION and PATCHLEVEL in its Makefile";
}

/* From @start up to /: the first folder that is a kernel tree's root. */
static struct eo_error *find_root(const char *start, struct eo_tree *tree)
{
	EO_CLEANUP(eo_freep) char *dir = eo_strdup(start);
	const char *missing = lacks(dir, &tree->version);
	const char *first = missing;

	while (missing && strcmp(dir, "/")) {
		char *slash = strrchr(dir, '/');

		slash[slash == dir] = '\0';
		missing = lacks(dir, &tree->version);
	}
	if (missing)
		return eo_error_new(
			EO_ERR_INPUT,
			"%s: not a Linux kernel tree (no %s), nor is any folder above it; name one with --tree DIR",
			start, first);
	tree->root = eo_strdup(dir);
	return NULL;
}

/*
 * Git's answer in @r. False when there is none: no git, or it declines (a
 * folder of another owner, safe.directory), or no commit yet. A tree without
 * a revision is fine, so only Ctrl-C is an error.
 */
static struct eo_error *git(const struct eo_tree *tree, const char *const *argv,
			    struct eo_proc_result *r, bool *ok)
{
	/* a name alone is unset: a hook that calls us has these */
	static const char *const env[] = {
		"GIT_DIR",    "GIT_WORK_TREE",	      "GIT_INDEX_FILE",
		"GIT_PREFIX", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C",
		NULL
	};
	struct eo_proc p = { .argv = argv,
			     .cwd = tree->root,
			     .env = env,
			     .timeout_ms = GIT_TIMEOUT_MS,
			     .max_output = 4096 };
	struct eo_error *err = eo_proc_run(&p, r);

	*ok = !err && r->status == 0;
	if (err && eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	eo_error_free(err);
	return NULL;
}

static struct eo_error *read_revision(struct eo_tree *tree)
{
	static const char *const argv[] = { "git", "rev-parse", "--show-prefix",
					    "HEAD", NULL };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const char *s;
	bool ok;

	eo_try(git(tree, argv, &r, &ok));
	/* a prefix: the tree lies inside somebody else's work tree */
	s = eo_str_get(&r.out);
	if (ok && *s == '\n' && strspn(s + 1, "0123456789abcdef") >= 40)
		tree->revision = eo_strndup(s + 1, strcspn(s + 1, "\n"));
	return NULL;
}

static struct eo_error *read_dirty(struct eo_tree *tree)
{
	static const char *const argv[] = { "git",
					    "-c",
					    "core.fsmonitor=false",
					    "status",
					    "--porcelain",
					    "--untracked-files=no",
					    "--ignore-submodules",
					    NULL };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	bool ok;

	eo_try(git(tree, argv, &r, &ok));
	tree->dirty = ok && r.out.len > 0;
	return NULL;
}

static struct eo_error *open_tree(const char *dir, struct eo_tree *tree)
{
	EO_CLEANUP(eo_freep) char *start = NULL, *dot_git = NULL;

	eo_try(eo_path_real(dir ? dir : ".", &start));
	if (!eo_is_dir(start))
		return eo_error_new(
			EO_ERR_INPUT,
			"%s: not a folder; --tree wants the kernel tree's",
			start);
	if (access(start, R_OK | X_OK))
		return eo_error_errno(errno, "cannot look into %s", start);
	eo_try(find_root(start, tree));
	eo_hash_hex(tree->root, strlen(tree->root), tree->key);
	dot_git = eo_path_join(tree->root, ".git");
	if (access(dot_git, F_OK))
		return NULL;
	eo_try(read_revision(tree));
	return tree->revision ? read_dirty(tree) : NULL;
}

struct eo_error *eo_tree_open(const char *dir, struct eo_tree **out)
{
	struct eo_tree *tree = eo_zalloc(sizeof(*tree));
	struct eo_error *err = open_tree(dir, tree);

	if (err) {
		eo_tree_free(tree);
		return err;
	}
	*out = tree;
	return NULL;
}

void eo_tree_free(struct eo_tree *tree)
{
	if (!tree)
		return;
	free(tree->root);
	free(tree->version);
	free(tree->revision);
	free(tree);
}

struct eo_error *eo_tree_cache_path(const struct eo_tree *tree,
				    const char *name, char **out)
{
	EO_CLEANUP(eo_freep) char *cache = NULL, *dir = NULL;

	eo_try(eo_cache_dir(&cache));
	dir = eo_path_join(cache, tree->key);
	eo_try(eo_mkdirs(dir));
	*out = eo_path_join(dir, name);
	return NULL;
}

/* Top folders that Kbuild never enters for vmlinux or a module. */
static const char *const outside[] = { "tools",	  "scripts",  "Documentation",
				       "include", "LICENSES", "debian" };

bool eo_tree_is_kernel_path(const char *file)
{
	size_t n = strcspn(file, "/");

	if (!file[n])
		return true;
	if (*file == '.')
		return false;
	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
		if (strlen(outside[i]) == n && !memcmp(file, outside[i], n))
			return false;
	if (n == 4 && !memcmp(file, "arch", n)) {
		/* arch/X/tools has programs that run on the build machine */
		const char *p = file + n + 1;

		p += strcspn(p, "/");
		return !eo_starts_with(p, "/tools/");
	}
	return true;
}
