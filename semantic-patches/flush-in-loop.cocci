// SPDX-License-Identifier: GPL-2.0-only
/// Statistics are flushed for each descendant of a root, where one flush of the
/// root covers them all. Flush once, before the loop.
///
//# What SmPL does not see, and a reviewer has to: whether the members that lead
//# from the cursor to what is flushed stay below the root, and whether what is
//# done for one descendant needs the counts of that very moment.
//
// Confidence: Moderate
// Copyright: (C) 2026 The earlyout authors
// Options: --no-includes --include-headers
// Comments: The blocks between "earlyout: model" and "earlyout: end" are made
//   from the cost model, analyzer/model/ of earlyout: edit that and not them.
//   There is no mode patch: how the root is named, and whether somebody holds
//   it before the loop, is for a human to say. The mode earlyout is report,
//   written for a program.
// Keywords: rstat, flush, descendant

virtual context
virtual org
virtual report
virtual earlyout

@initialize:python@
@@

import re

def place(p):
	return p.file, p.line, p.column

told = set()

@call@
identifier flush = {
// earlyout: model calls
	cgroup_rstat_flush, cgroup_rstat_flush_irqsafe,
	cgroup_rstat_flush_atomic, css_rstat_flush
// earlyout: end
};
expression e;
position p;
@@

flush@p(..., e, ...)

@descent depends on call@
// earlyout: model descent-names
iterator name
	css_for_each_descendant_pre, css_for_each_descendant_post,
	cgroup_for_each_live_descendant_pre,
	cgroup_for_each_live_descendant_post, for_each_mem_cgroup_tree;
expression a2;
// earlyout: end
local idexpression pos;
expression root;
position w;
statement S;
@@

(
// earlyout: model descents
css_for_each_descendant_pre@w(pos, root, ...) S
|
css_for_each_descendant_post@w(pos, root, ...) S
|
cgroup_for_each_live_descendant_pre@w(pos, a2, root, ...) S
|
cgroup_for_each_live_descendant_post@w(pos, a2, root, ...) S
|
for_each_mem_cgroup_tree@w(pos, root, ...) S
// earlyout: end
)

@below depends on descent@
position call.p, descent.w;
iterator I;
expression E;
identifier late;
@@

(
I@w(...) { <+... late@p(...) ...+> }
|
I@w(...) late@p(...);
|
I@w(...) if (E) late@p(...);
)

@script:python inside@
p << call.p;
e << call.e;
flush << call.flush;
w << descent.w;
b << below.late;
pos << descent.pos;
message;
@@

here = place(p[0])
if here not in told and re.match(r"&? ?%s( (->|\.) \w+)*$" % pos, e):
	told.add(here)
	coccinelle.message = (
		"%s() runs for each descendant in the loop at line %s: once for the root, before the loop, covers them" %
		(flush, w[0].line))
else:
	cocci.include_match(False)

// ----------------------------------------------------------------------------

@script:python depends on report@
p << call.p;
message << inside.message;
@@

coccilib.report.print_report(p[0], "WARNING: " + message)

@script:python depends on org@
p << call.p;
message << inside.message;
@@

cocci.print_main(message, p)

@script:python depends on earlyout@
p << call.p;
flush << call.flush;
message << inside.message;
@@

print("earlyout-call", p[0].line, p[0].column, p[0].current_element_line,
      p[0].current_element_line_end, p[0].current_element, flush, message)

@depends on context && inside@
position call.p;
identifier call.flush;
@@

* flush@p(...)

@finalize:python depends on earlyout@
@@

print("earlyout-end")
