/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of MIME (RFC 2045, 2046) as is needed to take patches out of a mail
 * with several attachments: `git mailinfo`, which decodes all other mails,
 * would take them for one.
 */
#ifndef EO_VERIFY_MIME_H
#define EO_VERIFY_MIME_H

#include <stddef.h>

#include "base/mem.h"

/* Text of a header ("Content-Type"), unfolded, or NULL; in @a. */
const char *eo_mime_header(struct eo_arena *a, const char *mail,
			   const char *name);
/* Where the body begins: behind the first empty line. */
const char *eo_mime_body(const char *mail);

/* The texts that a multipart mail is made of, decoded, in their order. */
struct eo_mime_parts {
	const char **items;
	size_t n, cap;
	struct eo_arena arena;
};

/* Adds nothing for a mail of one part. */
void eo_mime_split(const char *mail, struct eo_mime_parts *out);
void eo_mime_parts_release(struct eo_mime_parts *p);

#endif
