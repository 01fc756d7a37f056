// SPDX-License-Identifier: GPL-2.0-only
#include "cli/who.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "reports/scratch.h"

struct eo_error *eo_who_am_i(const struct eo_tree *tree, char **out)
{
	EO_CLEANUP(eo_identity_release) struct eo_identity id = { 0 };
	struct eo_error *err = eo_identity_get(NULL, tree, &id);
	const struct passwd *pw;
	const char *user;

	if (!err) {
		*out = eo_asprintf("%s <%s>", id.name, id.address);
		return NULL;
	}
	if (eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	eo_error_free(err);
	user = getenv("USER");
	pw = user && *user ? NULL : getpwuid(getuid());
	if (pw)
		user = pw->pw_name;
	*out = eo_strdup(user && *user ? user : "unknown");
	return NULL;
}
