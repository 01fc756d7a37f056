/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom the server answers: pure functions of what a request says. */
#ifndef EO_REPORTS_SERVE_GUARD_H
#define EO_REPORTS_SERVE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* 128 bits, as hexadecimal digits. */
#define EO_TOKEN_LEN 32

/*
 * Whether @host (a Host header, or NULL) is 127.0.0.1 or localhost at @port.
 * A page of another site whose name was made to point here (DNS rebinding)
 * says its own.
 */
bool eo_guard_host(const char *host, uint16_t port);
/* The same of an Origin header: "http://127.0.0.1:8080". */
bool eo_guard_origin(const char *origin, uint16_t port);
/* Takes as long for any @given of the right length. */
bool eo_guard_token(const char *given, const char *token);

#endif
