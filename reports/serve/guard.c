// SPDX-License-Identifier: GPL-2.0-only
#include "reports/serve/guard.h"

#include <nettle/memops.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool eo_guard_host(const char *host, uint16_t port)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };

	for (int i = 0; host && i < 2; i++) {
		char wanted[32];

		snprintf(wanted, sizeof(wanted), "%s:%u", names[i], port);
		if (strcasecmp(host, wanted) == 0)
			return true;
		/* A browser leaves out the port that http has anyway. */
		if (port == 80 && strcasecmp(host, names[i]) == 0)
			return true;
	}
	return false;
}

bool eo_guard_origin(const char *origin, uint16_t port)
{
	static const char scheme[] = "http://";

	return origin && strncmp(origin, scheme, sizeof(scheme) - 1) == 0 &&
	       eo_guard_host(origin + sizeof(scheme) - 1, port);
}

bool eo_guard_token(const char *given, const char *token)
{
	return given && strlen(given) == strlen(token) &&
	       memeql_sec(given, token, strlen(token));
}
