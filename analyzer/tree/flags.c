// SPDX-License-Identifier: GPL-2.0-only
#include "tree/flags.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/shellwords.h"

/* Options whose argument may be a word of its own. */
static const struct {
	const char *name;
	bool keep, path;
} with_argument[] = {
	{ "-D", true, false },
	{ "-U", true, false },
	{ "-I", true, true },
	{ "-include", true, true },
	{ "-imacros", true, true },
	{ "-isystem", true, true },
	{ "-iquote", true, true },
	{ "-idirafter", true, true },
	{ "-target", true, false },
	{ "-isysroot", true, true },
	{ "-o", false, false },
	{ "-x", false, false },
	{ "-MF", false, false },
	{ "-MT", false, false },
	{ "-MQ", false, false },
	{ "-T", false, false },
	{ "-L", false, false },
	{ "--param", false, false },
	{ "-Xassembler", false, false },
	{ "-Xlinker", false, false },
	{ "-Xpreprocessor", false, false },
	{ "-Xclang", false, false },
	{ "-mllvm", false, false },
	{ "-aux-info", false, false },
};

/* Other options that change what a program means: these exactly. */
static const char *const keep_exact[] = {
	"-nostdinc",
	"-undef",
	"-ansi",
	"-O0",
	"-O1",
	"-O2",
	"-O3",
	"-Os",
	"-Oz",
	"-O",
	"-ffreestanding",
	"-fno-builtin",
	"-fshort-wchar",
	"-funsigned-char",
	"-fsigned-char",
	"-fshort-enums",
	"-fms-extensions",
	"-fgnu89-inline",
	"-fPIC",
	"-fpic",
	"-fPIE",
	"-fpie",
	"-fno-PIC",
	"-fno-pic",
	"-fno-PIE",
	"-fno-pie",
	"-m16",
	"-m32",
	"-m64",
	"-mx32",
	"-msoft-float",
	"-mhard-float",
	"-mgeneral-regs-only",
	"-mlittle-endian",
	"-mbig-endian",
	"-EL",
	"-EB",
	"-mno-80387",
	"-mthumb",
	"-marm",
};

/* … and those that begin so. */
static const char *const keep_prefix[] = {
	"-std=",     "--target=",   "--sysroot=",  "-fno-builtin-",
	"-mcmodel=", "-mabi=",	    "-mno-sse",	   "-msse",
	"-mno-mmx",  "-mno-avx",    "-mavx",	   "-mno-3dnow",
	"-march=rv", "-march=armv", "-march=mips", "-march=loongarch",
	"-march=z",
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct flags {
	struct eo_arena *arena;
	const char *base;
	const char **items;
	size_t n, cap;
};

static bool is_source(const char *word)
{
	return *word != '-' && eo_ends_with(word, ".c");
}

bool eo_flags_is_compile(const struct eo_words *command)
{
	bool mode = false, source = false;

	for (size_t i = 1; i < command->n; i++) {
		const char *w = command->items[i];

		mode |= eo_streq(w, "-c") || eo_streq(w, "-S");
		source |= is_source(w);
	}
	return mode && source;
}

const char *eo_flags_output(const struct eo_words *command)
{
	for (size_t i = 1; i + 1 < command->n; i++)
		if (eo_streq(command->items[i], "-o"))
			return command->items[i + 1];
	return NULL;
}

static void add(struct flags *f, const char *flag)
{
	*eo_vec_push(f) = flag;
}

static const char *resolve(struct flags *f, const char *path)
{
	if (!f->base || *path == '/')
		return path;
	return eo_arena_printf(f->arena, "%s/%s", f->base, path);
}

/* An option with an argument. Returns how many words it took; 0: no such. */
static size_t take_with_argument(struct flags *f, const char *word,
				 const char *next)
{
	for (size_t i = 0; i < COUNT(with_argument); i++) {
		const char *name = with_argument[i].name, *arg;
		size_t n = strlen(name);
		bool joined = n == 2 && name[1] != 'o' && word[n];

		if (strncmp(word, name, n) || (word[n] && !joined))
			continue;
		arg = joined ? word + n : next;
		if (with_argument[i].keep && arg) {
			if (with_argument[i].path)
				arg = resolve(f, arg);
			if (n > 2)
				add(f, name);
			add(f, n > 2 ? arg :
				       eo_arena_printf(f->arena, "%s%s", name,
						       arg));
		}
		return joined ? 1 : 2;
	}
	return 0;
}

static bool is_kept(const char *word)
{
	for (size_t i = 0; i < COUNT(keep_exact); i++)
		if (strcmp(word, keep_exact[i]) == 0)
			return true;
	for (size_t i = 0; i < COUNT(keep_prefix); i++)
		if (eo_starts_with(word, keep_prefix[i]))
			return true;
	return false;
}

/* A cross compiler's name tells its target: aarch64-linux-gnu-gcc-12. */
static void add_target(struct flags *f, const char *compiler)
{
	const char *slash = strrchr(compiler, '/');
	const char *name = slash ? slash + 1 : compiler;
	const char *gcc = strstr(name, "-gcc");

	for (size_t i = 0; i < f->n; i++)
		if (eo_starts_with(f->items[i], "--target=") ||
		    eo_streq(f->items[i], "-target"))
			return;
	if (gcc && gcc > name)
		add(f, eo_arena_printf(f->arena, "--target=%.*s",
				       (int)(gcc - name), name));
}

static const char *const *finish(struct flags *f)
{
	const char **items =
		eo_arena_alloc(f->arena, (f->n + 1) * sizeof(*items));

	if (f->n)
		memcpy(items, f->items, f->n * sizeof(*items));
	free(f->items);
	return items;
}

const char *const *eo_flags_for_clang(struct eo_arena *a,
				      const struct eo_words *command,
				      const char *base)
{
	struct flags f = { .arena = a, .base = base };
	size_t first = 0, used;

	/* "ccache gcc -c": the compiler is the last before the options */
	while (first < command->n && *command->items[first] != '-')
		first++;
	for (size_t i = first; i < command->n; i += used) {
		const char *word = command->items[i];

		used = take_with_argument(
			&f, word,
			i + 1 < command->n ? command->items[i + 1] : NULL);
		if (used)
			continue;
		used = 1;
		if (is_kept(word))
			add(&f, word);
	}
	if (first)
		add_target(&f, command->items[first - 1]);
	add(&f, "-w");
	return finish(&f);
}

/* "-DNAME=": which of a file's names Kbuild gives to the compiler so. */
static const struct {
	const char *define;
	const char *before, *after;
	bool path;
} names[] = {
	{ "-DKBUILD_BASENAME=", "\"", "\"", false },
	{ "-DKBUILD_MODNAME=", "\"", "\"", false },
	{ "-DKBUILD_MODFILE=", "\"", "\"", true },
	{ "-D__KBUILD_MODNAME=", "kmod_", "", false },
};

const char *const *eo_flags_rename(struct eo_arena *a, const char *const *flags,
				   const char *file)
{
	struct flags f = { .arena = a };
	const char *slash = strrchr(file, '/');
	size_t n = strlen(file) - 2; /* without ".c" */
	char *base =
		eo_arena_strndup(a, slash ? slash + 1 : file,
				 n - (size_t)(slash ? slash + 1 - file : 0));

	for (char *p = base; *p; p++)
		if (*p == '-' || *p == ',')
			*p = '_';
	for (; *flags; flags++) {
		const char *flag = *flags;

		for (size_t i = 0; i < COUNT(names); i++)
			if (eo_starts_with(flag, names[i].define))
				flag = eo_arena_printf(
					a, "%s%s%.*s%s", names[i].define,
					names[i].before,
					(int)(names[i].path ? n : strlen(base)),
					names[i].path ? file : base,
					names[i].after);
		add(&f, flag);
	}
	return finish(&f);
}
