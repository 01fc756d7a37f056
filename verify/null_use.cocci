R"cocci(// SPDX-License-Identifier: GPL-2.0-only
/// A pointer is looked behind before it is tested for NULL.
// Options: --no-includes

virtual report

@r@
expression E;
identifier f;
statement S;
position p, q;
@@

  E->f@p
  ... when != E = ...
      when != &E
  if (\( !E@q \| E@q == NULL \)) S

@script:python depends on report@
p << r.p;
q << r.q;
E << r.E;
@@

coccilib.report.print_report(p[0],
	"ERROR: %s is used here, and tested for NULL on line %s"
	% (E, q[0].line))
)cocci"
