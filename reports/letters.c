// SPDX-License-Identifier: GPL-2.0-only
/* From commits to mails: git makes them, we add what only we know. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/verifications.h"
#include "finding/finding.h"
#include "reports/draft.h"
#include "reports/outbox.h"
#include "verify/diffid.h"

/*
 * @mail with @headers at the end of its headers, @remark behind the "---" of
 * a patch and @trailer before its "-- ".
 */
static char *dress(const struct eo_str *mail, const char *headers,
		   const char *remark, const char *trailer)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const char *body = strstr(mail->s, "\n\n") + 1;
	const char *end = mail->s + mail->len, *sig = end;
	const char *cut = remark ? strstr(body, "\n---\n") : NULL;

	for (const char *p = body; (p = strstr(p, "\n-- \n")); p++)
		sig = p + 1;
	eo_str_addn(&out, mail->s, (size_t)(body - mail->s));
	eo_str_add(&out, headers);
	if (cut) {
		cut += strlen("\n---\n");
		eo_str_addn(&out, body, (size_t)(cut - body));
		eo_str_addf(&out, "%s\n\n", remark);
		body = cut;
	}
	eo_str_addn(&out, body, (size_t)(sig - body));
	eo_str_add(&out, trailer);
	eo_str_addn(&out, sig, (size_t)(end - sig));
	return eo_str_take(&out);
}

/* git encodes the sender of the patches, but not that of the cover letter. */
static void encode_from(const struct eo_identity *author, struct eo_str *mail)
{
	EO_CLEANUP(eo_freep)
	char *box = eo_asprintf("%s <%s>", author->name, author->address);
	EO_CLEANUP(eo_freep) char *encoded = eo_mailbox_encode(box);
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	char *from = strstr(eo_str_get(mail), "\nFrom: ");
	char *end = from ? strstr(from, "\nDate: ") : NULL;

	if (!end)
		return;
	eo_str_addn(&out, mail->s, (size_t)(from - mail->s));
	eo_str_addf(&out, "\nFrom: %s%s", encoded, end);
	eo_str_clear(mail);
	eo_str_addn(mail, out.s, out.len);
}

static char *dress_patch(const struct eo_draft *d,
			 const struct eo_draft_step *s,
			 const struct eo_str *mail)
{
	EO_CLEANUP(eo_str_release) struct eo_str headers = { 0 };
	EO_CLEANUP(eo_freep)
	char *remark = s->since ? eo_asprintf("v%u: %s", d->version, s->since) :
				  NULL;

	eo_recipients_headers(&s->recipients, &headers);
	eo_str_addf(&headers, EO_MAIL_MARK ": %s %s\n", s->plan->items[0]->rule,
		    s->plan->items[0]->id);
	return dress(mail, eo_str_get(&headers), remark, "");
}

static char *dress_cover(const struct eo_writer *w, const struct eo_draft *d,
			 struct eo_str *mail)
{
	EO_CLEANUP(eo_str_release) struct eo_str headers = { 0 };
	EO_CLEANUP(eo_freep)
	char *trailer = d->base ? eo_asprintf("\nbase-commit: %s\n", d->base) :
				  eo_strdup("");
	EO_CLEANUP(eo_recipients_release) struct eo_recipients all = { 0 };

	for (size_t i = 0; i < d->n; i++)
		eo_recipients_add(&all, &d->items[i].recipients);
	eo_recipients_headers(&all, &headers);
	eo_str_addf(&headers, EO_MAIL_MARK_COVER "%s%s\n",
		    *d->name ? ", folder " : "", d->name);
	encode_from(&w->author, mail);
	return dress(mail, eo_str_get(&headers), NULL, trailer);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_patch(const struct dirent *e)
{
	return eo_ends_with(e->d_name, ".patch");
}

/* Reads one of git's mails and puts it, dressed, in the outbox. */
static struct eo_error *take_mail(struct eo_writer *w, struct eo_draft *d,
				  const char *name, struct eo_draft_step *s,
				  struct eo_outbox *box)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(d->scratch.mails, name);
	EO_CLEANUP(eo_freep)
	char *to = *d->name ? eo_path_join(d->name, name) : eo_strdup(name);
	EO_CLEANUP(eo_str_release) struct eo_str mail = { 0 };

	eo_try(eo_file_read(path, &mail));
	if (!strstr(eo_str_get(&mail), "\n\n"))
		return eo_error_new(EO_ERR_INTERNAL, "%s is no mail", name);
	if (s)
		s->mail = dress_patch(d, s, &mail);
	else
		d->cover = dress_cover(w, d, &mail);
	eo_outbox_add(box, to, s ? s->mail : d->cover);
	return NULL;
}

static struct eo_error *take_mails(struct eo_writer *w, struct eo_draft *d,
				   struct eo_outbox *box)
{
	struct eo_error *err;
	struct dirent **names;
	int found = scandir(d->scratch.mails, &names, is_patch, by_name);

	if (found < 0)
		return eo_error_errno(errno, "cannot read %s",
				      d->scratch.mails);
	err = (size_t)found == d->n + 1 ?
		      NULL :
		      eo_error_new(EO_ERR_INTERNAL,
				   "git made %d mails of %zu patches", found,
				   d->n);
	for (int i = 0; i < found; i++) {
		if (!err)
			err = take_mail(w, d, names[i]->d_name,
					i ? &d->items[i - 1] : NULL, box);
		free(names[i]);
	}
	free(names);
	return err;
}

/* A sentence on the series that this one belongs to, or NULL. */
static char *relation(const struct eo_draft *d)
{
	if (!d->after)
		return NULL;
	return eo_asprintf("This series goes on top of the one called %s.",
			   d->after->name);
}

/* What `earlyout verify` said of the same change, in @arena; NULL: nothing. */
static struct eo_error *find_checked(const struct eo_writer *w,
				     const struct eo_draft_step *s,
				     struct eo_arena *arena,
				     const char **checked)
{
	EO_CLEANUP(eo_str_release) struct eo_str said = { 0 };
	char id[17];

	eo_diff_id(s->diff, id);
	eo_try(eo_db_get_verified(w->db, w->run->root, id, &said));
	for (size_t i = 0; i + 1 < said.len; i++)
		if (said.s[i] == '\n')
			said.s[i] = ';';
	*checked = said.len ? eo_arena_strdup(arena, said.s) : NULL;
	return NULL;
}

struct eo_error *eo_draft_mails(struct eo_writer *w, struct eo_draft *d,
				struct eo_outbox *box)
{
	EO_CLEANUP(eo_freep) char *part_of = relation(d);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_arena_release) struct eo_arena arena = { 0 };
	EO_CLEANUP(eo_freep)
	struct eo_cover_entry *list = eo_zalloc(d->n * sizeof(*list));
	const struct eo_cover cover = {
		.run = w->run,
		.items = list,
		.n = d->n,
		.version = d->version,
		.part_of = part_of,
		.changes = d->changes,
	};

	for (size_t i = 0; i < d->n; i++) {
		const struct eo_draft_step *s = &d->items[i];
		const char *checked;

		eo_try(find_checked(w, s, &arena, &checked));
		list[i] = (struct eo_cover_entry){
			.mail = { .model = w->model,
				  .step = s->plan,
				  .change = &s->change,
				  .evidence = &s->evidence },
			.prefix = s->prefix,
			.subject = s->subject,
			.builds_on = s->builds_on,
			.checked = checked,
		};
	}
	eo_mail_cover(&cover, &text);
	eo_try(eo_scratch_mails(&d->scratch, eo_str_get(&text), d->version,
				d->has_range));
	return take_mails(w, d, box);
}
