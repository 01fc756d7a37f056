/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mails as a web archive shows them: one text, without most headers, replies
 * below each other, attachments under "[-- Attachment #2: name --]".
 */
#ifndef EO_VERIFY_ARCHIVE_H
#define EO_VERIFY_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct eo_archive_mail {
	const char *text; /* with headers, made up where there were none */
	bool no_subject;
	unsigned set; /* parts of the same message have the same */
};

struct eo_archive {
	struct eo_archive_mail *items;
	size_t n, cap;
	struct eo_arena arena;
};

/* Whether @text is no mail and no mbox: it does not begin with a header. */
bool eo_archive_is(const char *text);
/* The parts of @text, those with a patch and those without. */
void eo_archive_split(const char *text, struct eo_archive *out);
void eo_archive_release(struct eo_archive *a);

/* Whether a line that begins a diff stands in it, unquoted. */
bool eo_archive_has_diff(const char *text);

#endif
