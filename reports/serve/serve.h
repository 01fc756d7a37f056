/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report's pages, live on the loopback address. Every request has to name
 * us as its Host, every write to come from our own pages (Origin) and to hold
 * the token. There is no file behind a path: a path that is no page is a 404.
 */
#ifndef EO_REPORTS_SERVE_SERVE_H
#define EO_REPORTS_SERVE_SERVE_H

#include <stdbool.h>
#include <stdint.h>

struct eo_db;
struct eo_error;

/* Limits: bytes of a request's body, connections at a time, idle seconds. */
#define EO_SERVE_BODY (256 * 1024)
#define EO_SERVE_CONNECTIONS 64
#define EO_SERVE_IDLE_S 15

struct eo_serve {
	struct eo_db *db;
	int64_t run; /* 0: the last, whenever that is */
	uint16_t port; /* 0: any that is free */
	const char *who; /* the reviewer when a page does not say */
	const char *token; /* NULL: a new one */
	/* Called once it listens; @url is the page to open, token and all. */
	void (*ready)(const char *url, void *data);
	void *data;
};

/* Serves until Ctrl-C. An error when the port is taken, or on a bad database. */
struct eo_error *eo_serve(const struct eo_serve *s);

#endif
