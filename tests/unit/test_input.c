// SPDX-License-Identifier: GPL-2.0-only
/* Patches out of what people send, and what they do not send as patches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "verify/input.h"

#define DIFF(name)                                                      \
	"diff --git a/" name " b/" name "\n--- a/" name "\n+++ b/" name \
	"\n@@ -1 +1 @@\n-x\n+y\n-- \n2.40.0\n\n"

static struct eo_input in;

static void read_text(const char *text)
{
	struct eo_error *err = eo_input_text("test", text, &in);

	if (err)
		fail_msg("%s", eo_error_message(err));
}

static int teardown(void **state)
{
	(void)state;
	eo_input_release(&in);
	return 0;
}

static void test_encoded_mail(void **state)
{
	(void)state;
	read_text("From: =?UTF-8?q?J=C3=B6rg?= <j@example.org>\n"
		  "Subject: [PATCH v2 2/5] pond: early out\n"
		  "Content-Type: text/plain; charset=UTF-8\n"
		  "Content-Transfer-Encoding: quoted-printable\n\n"
		  "a =3D b\n\nbase-commit: 0123456789abcdef0123\n---\n"
		  "diff --git a/p.c b/p.c\n--- a/p.c\n+++ b/p.c\n"
		  "@@ -1 +1 @@\n-x =3D 1;\n+x =3D 2;\n");
	assert_int_equal(in.n, 1);
	assert_string_equal(in.items[0].author, "J\xc3\xb6rg");
	assert_string_equal(in.items[0].subject, "pond: early out");
	assert_int_equal(in.items[0].number, 2);
	assert_int_equal(in.items[0].total, 5);
	assert_int_equal(in.items[0].version, 2);
	assert_non_null(strstr(in.items[0].diff, "+x = 2;\n"));
	assert_string_equal(in.base, "0123456789abcdef0123");
	assert_non_null(strstr(eo_str_get(&in.notes), "patch 1 of 5"));
}

/* An archive's text: two attachments in the wrong order, below a reply. */
static void test_attachments_in_order(void **state)
{
	(void)state;
	read_text(
		"Re: [PATCH] pond: a knob\n\n[A. Frog]\n\n"
		"[-- Attachment #1: Type: text/plain, Size: 9 bytes --]\n\n"
		"> diff --git a/q.c b/q.c\nSee these.\n\n"
		"[-- Attachment #2: 0002-b.patch --]\n"
		"[-- Type: text/x-patch, Size: 9 bytes --]\n\n"
		"From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 "
		"00:00:00 2001\nFrom: A <a@example.org>\nDate: Tue, 21 Oct 2025 "
		"11:44:39 -0600\nSubject: [PATCH 2/2] pond: b\n\nb\n---\n" DIFF(
			"b.c") "[-- Attachment #3: 0001-a.patch --]\n"
			       "[-- Type: text/x-patch, Size: 9 bytes --]\n\n"
			       "From 1123456789abcdef0123456789abcdef01234567 Mon Sep 17 "
			       "00:00:00 2001\nFrom: A <a@example.org>\nDate: Tue, 21 Oct 2025 "
			       "11:44:39 -0600\nSubject: [PATCH 1/2] pond: a\n\na\n---\n" DIFF(
				       "a.c"));
	assert_int_equal(in.n, 2);
	assert_string_equal(in.items[0].subject, "pond: a");
	assert_string_equal(in.items[1].subject, "pond: b");
	assert_null(strstr(in.items[0].diff, "b.c"));
}

/* Without any header, and a reply that quotes the diff. */
static void test_bare_archive_text(void **state)
{
	(void)state;
	read_text(
		"It flushes for nothing.\n\n"
		"Signed-off-by: A. Frog <a@example.org>\n---\n" DIFF(
			"a.c") "On Monday, B wrote:\n> diff --git a/a.c b/a.c\n> +y\n\nAck.\n");
	assert_int_equal(in.n, 1);
	assert_true(in.items[0].no_subject);
	assert_string_equal(in.items[0].email, "a@example.org");
}

/* base64, as a mailer sends what is not ASCII; headers in a second charset. */
static void test_base64(void **state)
{
	(void)state;
	/* "caf\xc3\xa9\n---\n" and a diff of p.c, x to y */
	read_text("From: =?iso-8859-1?Q?Ren=E9?= <r@example.org>\n"
		  "Subject: [PATCH] pond: x\n"
		  "MIME-Version: 1.0\n"
		  "Content-Type: text/plain; charset=UTF-8\n"
		  "Content-Transfer-Encoding: base64\n\n"
		  "Y2Fmw6kKLS0tCmRpZmYgLS1naXQgYS9wLmMgYi9wLmMKLS0tIGEvcC5jCi"
		  "srKyBiL3AuYwpAQCAtMSArMSBAQAoteAoreQo=\n");
	assert_int_equal(in.n, 1);
	assert_string_equal(in.items[0].author, "Ren\xc3\xa9");
	assert_non_null(strstr(in.items[0].message, "caf\xc3\xa9"));
	assert_non_null(strstr(in.items[0].diff, "\n@@ -1 +1 @@\n-x\n+y\n"));
}

/*
 * RFC 3676: a blank before what begins with one is stuffing, and a soft break
 * is one with a blank before it. Lines of code that were broken so, or have
 * lost their tabs, cannot be had back; stuffing can.
 */
static void test_format_flowed(void **state)
{
	(void)state;
	read_text("From: A <a@example.org>\nSubject: [PATCH] pond: x\n"
		  "Content-Type: text/plain; charset=us-ascii; "
		  "format=flowed\n\n"
		  "Words.\n---\n"
		  "diff --git a/p.c b/p.c\n--- a/p.c\n+++ b/p.c\n"
		  "@@ -1,2 +1,2 @@\n"
		  "  int a;\n-x\n+y\n");
	assert_int_equal(in.n, 1);
	assert_non_null(strstr(in.items[0].diff, "\n int a;\n-x\n+y\n"));
}

/* Cut within its second mail: what is whole is taken, the rest is said. */
static void test_truncated_mbox(void **state)
{
	(void)state;
	read_text("From 0 Mon Sep 17 00:00:00 2001\n"
		  "From: A <a@example.org>\nSubject: [PATCH 1/2] pond: a\n"
		  "\na\n---\n" DIFF("a.c") "From 1 Mon Sep 17 00:00:00 2001\n"
					   "From: A <a@example.org>\n"
					   "Subject: [PATCH 2/2] po");
	assert_int_equal(in.n, 1);
	assert_string_equal(in.items[0].subject, "pond: a");
	assert_non_null(strstr(eo_str_get(&in.notes), "patch 2 of 2"));
}

/* Of two versions the newer; a reply's diff is none of it. */
static void test_newest_version(void **state)
{
	(void)state;
	read_text(
		"From 0 Mon Sep 17 00:00:00 2001\n"
		"From: A <a@example.org>\nSubject: [PATCH] pond: a\n"
		"\na\n---\n" DIFF(
			"old.c") "From 1 Mon Sep 17 00:00:00 2001\n"
				 "From: B <b@example.org>\n"
				 "Subject: Re: [PATCH] pond: a\n\n"
				 "> a\n\nRather:\n\n" DIFF(
					 "reply.c") "From 2 Mon Sep 17 "
						    "00:00:00 2001\n"
						    "From: A <a@example.org>\n"
						    "Subject: [PATCH v2] pond: a"
						    "\n\na\n---\n" DIFF(
							    "new.c"));
	assert_int_equal(in.n, 1);
	assert_int_equal(in.items[0].version, 2);
	assert_non_null(strstr(in.items[0].diff, "a/new.c"));
}

/* One patch of a series again, in answer to it: the others stay. */
static void test_one_newer(void **state)
{
	(void)state;
	read_text(
		"From 0 Mon Sep 17 00:00:00 2001\n"
		"From: A <a@example.org>\nSubject: [PATCH 1/2] pond: a\n"
		"\na\n---\n" DIFF(
			"a.c") "From 1 Mon Sep 17 00:00:00 2001\n"
			       "From: A <a@example.org>\n"
			       "Subject: [PATCH 2/2] pond: b\n\nb\n---\n" DIFF(
				       "b.c") "From 2 Mon Sep 17 00:00:00 2001\n"
					      "From: A <a@example.org>\n"
					      "Subject: [PATCH v2 1/2] pond: a\n"
					      "\na\n---\n" DIFF("new.c"));
	assert_int_equal(in.n, 2);
	assert_int_equal(in.items[0].version, 2);
	assert_non_null(strstr(in.items[0].diff, "a/new.c"));
	assert_int_equal(in.items[1].number, 2);
	assert_non_null(
		strstr(eo_str_get(&in.notes), "patch 2 of 2 is of version 1"));
}

static void test_empty(void **state)
{
	struct eo_error *err;

	(void)state;
	err = eo_input_text("test", "", &in);
	assert_non_null(err);
	eo_error_free(err);
}

static void test_no_patch(void **state)
{
	struct eo_error *err;

	(void)state;
	err = eo_input_text("test",
			    "From: A <a@example.org>\n"
			    "Subject: [PATCH 0/2] pond: two\n\nWords.\n",
			    &in);
	assert_non_null(err);
	assert_non_null(strstr(eo_error_message(err), "only a cover letter"));
	eo_error_free(err);
}

#define TEST(fn) cmocka_unit_test_teardown(fn, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_encoded_mail),
		TEST(test_attachments_in_order),
		TEST(test_bare_archive_text),
		TEST(test_base64),
		TEST(test_format_flowed),
		TEST(test_truncated_mbox),
		TEST(test_newest_version),
		TEST(test_one_newer),
		TEST(test_empty),
		TEST(test_no_patch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
