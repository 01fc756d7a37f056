// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "db/db.h"
#include "db/query.h"
#include "reports/escape.h"

struct printer {
	enum eo_format format;
	size_t rows;
	struct eo_str line;
};

static void flush_line(struct printer *p)
{
	fwrite(eo_str_get(&p->line), 1, p->line.len, stdout);
	eo_str_clear(&p->line);
}

static void begin(const char *const *columns, size_t n, void *data)
{
	struct printer *p = data;

	if (p->format == EO_FORMAT_JSON)
		eo_str_addc(&p->line, '[');
	if (p->format > EO_FORMAT_TEXT)
		return;
	for (size_t i = 0; i < n; i++) {
		if (i)
			eo_str_addc(&p->line, '\t');
		eo_add_line(&p->line, columns[i]);
	}
	eo_str_addc(&p->line, '\n');
	flush_line(p);
}

static void add_object(struct eo_str *to, const char *const *columns,
		       const struct eo_cell *cells, size_t n)
{
	eo_str_addc(to, '{');
	for (size_t i = 0; i < n; i++) {
		if (i)
			eo_str_addc(to, ',');
		eo_str_add_json(to, columns[i]);
		eo_str_addc(to, ':');
		if (!cells[i].text)
			eo_str_add(to, "null");
		else if (cells[i].is_number)
			eo_str_add(to, cells[i].text);
		else
			eo_str_add_json(to, cells[i].text);
	}
	eo_str_addc(to, '}');
}

static void row(const char *const *columns, const struct eo_cell *cells,
		size_t n, void *data)
{
	struct printer *p = data;

	if (p->format == EO_FORMAT_JSON && p->rows++)
		eo_str_addc(&p->line, ',');
	if (p->format > EO_FORMAT_TEXT) {
		if (p->format == EO_FORMAT_JSON)
			eo_str_addc(&p->line, '\n');
		add_object(&p->line, columns, cells, n);
	}
	for (size_t i = 0; p->format <= EO_FORMAT_TEXT && i < n; i++) {
		if (i)
			eo_str_addc(&p->line, '\t');
		eo_add_line(&p->line, cells[i].text);
	}
	if (p->format != EO_FORMAT_JSON)
		eo_str_addc(&p->line, '\n');
	flush_line(p);
}

static struct eo_error *query(struct eo_db *db, enum eo_format format,
			      const char *sql)
{
	struct printer p = { .format = format };
	const struct eo_query_sink sink = { begin, row, &p };
	struct eo_error *err = eo_db_query(db, sql, &sink);

	if (!err && format == EO_FORMAT_JSON) {
		eo_str_add(&p.line, "\n]\n");
		flush_line(&p);
	}
	eo_str_release(&p.line);
	return err;
}

/* What readers may rely on comes first: the views. */
static const char schema[] =
	"SELECT m.type, m.name, group_concat(c.name, ', ') AS columns"
	" FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c"
	" WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite_%'"
	" GROUP BY m.name ORDER BY m.name NOT LIKE 'report_%', m.type, m.name";

static struct eo_error *db_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	bool asks = args->n_words == 2 && !strcmp(args->words[0], "query");
	bool shows = args->n_words == 1 && !strcmp(args->words[0], "schema");
	bool names = args->n_words == 1 && !strcmp(args->words[0], "path");

	(void)exit_code;
	if (!asks && !shows && !names)
		return eo_error_new(
			EO_ERR_USAGE,
			"db takes `query SQL`, `schema` or `path`: see `earlyout db --help`");
	if (args->format > EO_FORMAT_JSONL)
		return eo_error_new(EO_ERR_USAGE,
				    "db takes --format text, json or jsonl");
	if (args->db) /* no tree is needed */
		eo_try(eo_db_open(args->db, NULL, &s.db));
	else
		eo_try(eo_session_open(args, &s));
	if (names) {
		printf("%s\n", eo_db_path(s.db));
		return NULL;
	}
	return query(s.db, args->format, asks ? args->words[1] : schema);
}

const struct eo_command eo_cmd_db = {
	.allowed = "tdFqv",
	.usage = "[OPTION…] query SQL | schema | path",
	.help = "Asks the database of a tree in SQL, and changes nothing there: SELECT only.\n"
		"The views whose names begin with report_ are what may be relied on; `db schema`\n"
		"lists them and their columns, doc/database.md says what they mean. Text has a\n"
		"first line with the columns' names, and tabs between them.\n\n"
		"examples:\n"
		"  earlyout db query 'SELECT rule, count(*) FROM report_finding\n"
		"      WHERE run = (SELECT max(run) FROM report_run) GROUP BY rule'\n"
		"  earlyout db query --format json 'SELECT id, file, line FROM report_finding'\n"
		"  earlyout db schema\n",
	.main = db_main,
};
