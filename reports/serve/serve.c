// SPDX-License-Identifier: GPL-2.0-only
#include "reports/serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "reports/serve/answer.h"
#include "reports/serve/guard.h"

#define LOOK_MS 250 /* for Ctrl-C */
#define CONNECTION_MEMORY (32 * 1024)

struct server {
	struct eo_site site;
	const char *token;
	uint16_t port;
};

/* One request, while its body comes in. */
struct request {
	struct eo_str body;
	bool too_long;
};

static const char *header(struct MHD_Connection *c, const char *name)
{
	return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

static void refuse(struct eo_answer *a, unsigned status, const char *why)
{
	a->status = status;
	a->type = "text/plain; charset=utf-8";
	eo_str_clear(&a->body);
	eo_str_addf(&a->body, "%s\n", why);
}

/* A body that a form of another site could send is refused by its type. */
static bool is_json(const char *type)
{
	return type && strncasecmp(type, "application/json", 16) == 0 &&
	       (!type[16] || type[16] == ';');
}

/* Whether a write may come in; says why when not. */
static bool may_write(const struct server *s, struct MHD_Connection *c,
		      struct eo_answer *a)
{
	if (!eo_guard_origin(header(c, "Origin"), s->port))
		refuse(a, 403, "The Origin is not this server's own page.");
	else if (!is_json(header(c, "Content-Type")))
		refuse(a, 415, "The body has to be application/json.");
	else if (!eo_guard_token(header(c, "X-Earlyout-Token"), s->token))
		refuse(a, 403,
		       "The token is missing or wrong: open the address that `earlyout serve` printed.");
	else
		return true;
	return false;
}

static struct eo_error *post(struct server *s, struct MHD_Connection *c,
			     const char *path, struct request *r,
			     struct eo_answer *a)
{
	if (!eo_streq(path, "/api/review"))
		refuse(a, 404, "Nothing can be written here.");
	else if (!may_write(s, c, a))
		return NULL;
	else if (r->too_long)
		refuse(a, 413, "That is too much at a time.");
	else if (strlen(eo_str_get(&r->body)) != r->body.len)
		refuse(a, 400, "The body holds NUL bytes.");
	else
		return eo_answer_review(&s->site, eo_str_get(&r->body), a);
	return NULL;
}

static struct eo_error *get(struct server *s, struct MHD_Connection *c,
			    const char *path, struct eo_answer *a)
{
	const char *origin = header(c, "Origin");

	if (origin && !eo_guard_origin(origin, s->port)) {
		refuse(a, 403, "The Origin is not this server's own page.");
		return NULL;
	}
	if (eo_streq(path, "/api/state"))
		return eo_answer_state(
			&s->site,
			MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND,
						    "since"),
			a);
	return eo_answer_page(&s->site, path, a);
}

static struct eo_error *decide(struct server *s, struct MHD_Connection *c,
			       const char *path, const char *method,
			       struct request *r, struct eo_answer *a)
{
	if (!eo_guard_host(header(c, "Host"), s->port))
		refuse(a, 421, "This server answers to 127.0.0.1 only.");
	else if (eo_streq(method, "GET") || eo_streq(method, "HEAD"))
		return get(s, c, path, a);
	else if (eo_streq(method, "POST"))
		return post(s, c, path, r, a);
	else
		refuse(a, 405, "This server knows GET, HEAD and POST.");
	return NULL;
}

static void add_headers(struct MHD_Response *answer, const struct eo_answer *a)
{
	static const char *const all[][2] = {
		{ "X-Content-Type-Options", "nosniff" },
		{ "X-Frame-Options", "DENY" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Cross-Origin-Opener-Policy", "same-origin" },
		{ "Cache-Control", "no-store" },
	};
	EO_CLEANUP(eo_freep)
	char *policy =
		eo_asprintf("%s; frame-ancestors 'none'",
			    a->policy.len ? a->policy.s : "default-src 'none'");

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		MHD_add_response_header(answer, all[i][0], all[i][1]);
	MHD_add_response_header(answer, "Content-Type", a->type);
	MHD_add_response_header(answer, "Content-Security-Policy", policy);
	if (a->location)
		MHD_add_response_header(answer, "Location", a->location);
	if (a->status == 405)
		MHD_add_response_header(answer, "Allow", "GET, HEAD, POST");
}

static enum MHD_Result send_answer(struct MHD_Connection *c,
				   struct eo_answer *a)
{
	size_t n = a->body.len;
	struct MHD_Response *answer = MHD_create_response_from_buffer(
		n, eo_str_take(&a->body), MHD_RESPMEM_MUST_FREE);
	enum MHD_Result result = MHD_NO;

	if (answer) {
		add_headers(answer, a);
		result = MHD_queue_response(c, a->status, answer);
		MHD_destroy_response(answer);
	}
	eo_str_release(&a->policy);
	return result;
}

/* An error of ours is a 500; what was wrong with the request a 400. */
static enum MHD_Result answer_request(struct server *s,
				      struct MHD_Connection *c,
				      const char *path, const char *method,
				      struct request *r)
{
	struct eo_answer a = { 0 };
	struct eo_error *err = decide(s, c, path, method, r, &a);

	if (err)
		refuse(&a, eo_error_kind(err) == EO_ERR_INPUT ? 400 : 500,
		       eo_error_message(err));
	eo_error_free(err);
	return send_answer(c, &a);
}

static enum MHD_Result on_request(void *data, struct MHD_Connection *c,
				  const char *path, const char *method,
				  const char *version, const char *part,
				  size_t *n, void **state)
{
	struct request *r = *state;

	(void)version;
	if (!r) {
		*state = eo_zalloc(sizeof(struct request));
		return MHD_YES;
	}
	if (!*n)
		return answer_request(data, c, path, method, r);
	if (r->body.len + *n > EO_SERVE_BODY)
		r->too_long = true; /* the rest is read, and forgotten */
	else
		eo_str_addn(&r->body, part, *n);
	*n = 0;
	return MHD_YES;
}

static void on_end(void *data, struct MHD_Connection *c, void **state,
		   enum MHD_RequestTerminationCode how)
{
	struct request *r = *state;

	(void)data;
	(void)c;
	(void)how;
	if (r)
		eo_str_release(&r->body);
	free(r);
	*state = NULL;
}

/* No name of a page has to be decoded: nothing can hide behind %2e or %00. */
static size_t leave_alone(void *data, struct MHD_Connection *c, char *s)
{
	(void)data;
	(void)c;
	return strlen(s);
}

static struct eo_error *start(struct server *s, uint16_t port,
			      struct MHD_Daemon **out)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(port),
				       .sin_addr.s_addr =
					       htonl(INADDR_LOOPBACK) };
	const union MHD_DaemonInfo *info;

	errno = 0;
	*out = MHD_start_daemon(
		MHD_NO_FLAG, 0, NULL, NULL, on_request, s, MHD_OPTION_SOCK_ADDR,
		&address, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)EO_SERVE_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)EO_SERVE_IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)CONNECTION_MEMORY, MHD_OPTION_NOTIFY_COMPLETED, on_end,
		NULL, MHD_OPTION_UNESCAPE_CALLBACK, leave_alone, NULL,
		MHD_OPTION_END);
	if (!*out)
		return eo_error_new(
			EO_ERR_ENV,
			"cannot listen on 127.0.0.1:%u: %s; name another port with --port, or leave it out",
			port, errno ? strerror(errno) : "no reason is known");
	info = MHD_get_daemon_info(*out, MHD_DAEMON_INFO_BIND_PORT);
	s->port = info ? info->port : port;
	return NULL;
}

static struct eo_error *make_token(char token[EO_TOKEN_LEN + 1])
{
	unsigned char bytes[EO_TOKEN_LEN / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return eo_error_errno(errno, "cannot make a token");
	for (size_t i = 0; i < sizeof(bytes); i++)
		sprintf(token + 2 * i, "%02x", bytes[i]);
	return NULL;
}

struct eo_error *eo_serve(const struct eo_serve *opts)
{
	EO_CLEANUP(eo_freep) char *url = NULL;
	struct server s = {
		.site = { .db = opts->db, .run = opts->run, .who = opts->who }
	};
	struct MHD_Daemon *daemon;
	char token[EO_TOKEN_LEN + 1];

	eo_try(make_token(token));
	s.token = opts->token ? opts->token : token;
	eo_try(start(&s, opts->port, &daemon));
	url = eo_asprintf("http://127.0.0.1:%u/list.html#token=%s", s.port,
			  s.token);
	if (opts->ready)
		opts->ready(url, opts->data);
	while (!eo_interrupted() && MHD_run_wait(daemon, LOOK_MS) == MHD_YES)
		;
	MHD_stop_daemon(daemon);
	eo_site_release(&s.site);
	return NULL;
}
