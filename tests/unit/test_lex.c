// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "tu/lex.h"

/* "k:int n:x": what is not other, with its text. */
static void assert_lexed(const char *text, const char *want)
{
	static const char kinds[] = {
		[EO_LEX_OTHER] = 'o',	  [EO_LEX_KEYWORD] = 'k',
		[EO_LEX_NAME] = 'n',	  [EO_LEX_CALL] = 'f',
		[EO_LEX_LITERAL] = 'l',	  [EO_LEX_COMMENT] = 'c',
		[EO_LEX_DIRECTIVE] = 'd',
	};
	struct eo_lexemes all = { 0 };
	struct eo_str got = { 0 };

	eo_lex(text, &all);
	for (size_t i = 0; i < all.n; i++) {
		const struct eo_lexeme *l = &all.items[i];

		assert_true(l->from < l->end && l->end <= strlen(text));
		assert_true(!i || all.items[i - 1].end <= l->from);
		if (l->kind == EO_LEX_OTHER)
			continue;
		eo_str_addf(&got, "%s%c:", got.len ? " " : "", kinds[l->kind]);
		eo_str_addn(&got, text + l->from, l->end - l->from);
	}
	assert_string_equal(eo_str_get(&got), want);
	eo_str_release(&got);
	eo_lexemes_release(&all);
}

static void tokens_of_c(void **state)
{
	(void)state;
	assert_lexed("static int f(void)\n{\n\treturn g(x, \"a\", 0x1f);\n}\n",
		     "k:static k:int f:f k:void k:return f:g n:x l:\"a\""
		     " l:0x1f");
	assert_lexed("a /* b\n c */ if // d\n",
		     "n:a c:/* b\n c */ k:if c:// d");
}

/* A nested #if does not end what the lexer is told to skip. */
static void directives(void **state)
{
	(void)state;
	assert_lexed("#ifdef CONFIG_X\n\tf();\n#endif\n\tg();\n",
		     "d:# d:ifdef n:CONFIG_X f:f d:# d:endif f:g");
}

/* It may be anything: nothing is read from elsewhere, nothing crashes. */
static void hostile_text(void **state)
{
	struct eo_lexemes all = { 0 };

	(void)state;
	assert_lexed("", "");
	assert_lexed("#include \"/etc/passwd\"\n",
		     "d:# d:include l:\"/etc/passwd\"");
	eo_lex("#endif\n#include \"/dev/zero\"\nint f(void) { return \"\\",
	       &all);
	eo_lexemes_release(&all);
	eo_lex("'\"/* \xff\xfe <script> \x01", &all);
	eo_lexemes_release(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_of_c),
		cmocka_unit_test(directives),
		cmocka_unit_test(hostile_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
