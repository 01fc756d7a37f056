// SPDX-License-Identifier: GPL-2.0-only
/// CPU time is sampled on every turn of a loop without end, and there are
/// turns that use nothing of the sample. Start it when work starts.
///
//# What SmPL does not see, and a reviewer has to: a use behind a pointer that
//# was made before, and what the sample measures: it may not move past that.
//
// Confidence: Moderate
// Copyright: (C) 2026 The earlyout authors
// Options: --no-includes --include-headers
// Comments: The blocks between "earlyout: model" and "earlyout: end" are made
//   from the cost model, analyzer/model/ of earlyout: edit that and not them.
//   A loop is without end by its form: while (1), while (true), for (;;). A
//   sample with more than two results, or with one that is no local variable,
//   is not looked at. There is no mode patch: where the work starts is for a
//   human to say. The mode earlyout is report, written for a program.
// Keywords: getrusage, task_cputime, loop

virtual context
virtual org
virtual report
virtual earlyout

@initialize:python@
@@

def place(p):
	return p.file, p.line, p.column

# Places of calls that have two results.
pairs = set()
# (file, function, name of the variable): somebody else may have its address;
# it is used.
escaped, used = set(), set()

def key(p, name):
	return p.file, p.current_element, name

@call@
identifier sample = {
// earlyout: model samples
	getrusage, thread_group_cputime, thread_group_cputime_adjusted,
	task_cputime_adjusted, task_cputime
// earlyout: end
};
position p;
symbol true;
@@

(
while (1) { <+... sample@p(...) ...+> }
|
while (true) { <+... sample@p(...) ...+> }
|
for (;;) { <+... sample@p(...) ...+> }
)

// From a sample to itself, on a path that uses nothing of it.

@single depends on call exists@
position call.p, t;
identifier call.sample;
local idexpression v;
@@

sample@p@t(..., &v);
... when != v
sample@p(...);

@pair depends on call exists@
position call.p, t;
identifier call.sample;
local idexpression v, w;
@@

sample@p@t(..., &v, &w);
... when != v
    when != w
sample@p(...);

@both depends on call@
position call.p, t;
identifier call.sample;
expression e1, e2;
@@

sample@p@t(..., &e1, &e2)

@escape depends on call@
local idexpression v;
expression e;
position u;
@@

e = &v@u

@init depends on call@
local idexpression v;
type T;
identifier i;
position u;
@@

T i = &v@u;

@own depends on call@
identifier sample = {
// earlyout: model samples
	getrusage, thread_group_cputime, thread_group_cputime_adjusted,
	task_cputime_adjusted, task_cputime
// earlyout: end
};
local idexpression v;
position o;
@@

sample(..., &v@o, ...)

@use depends on call@
local idexpression v;
position u != own.o;
@@

v@u

@script:python depends on escape@
u << escape.u;
v << escape.v;
@@

escaped.update(key(q, v) for q in u)

@script:python depends on init@
u << init.u;
v << init.v;
@@

escaped.update(key(q, v) for q in u)

@script:python depends on use@
u << use.u;
v << use.v;
@@

used.update(key(q, v) for q in u)

@script:python depends on both@
t << both.t;
@@

pairs.update(place(q) for q in t)

@script:python turn@
p << call.p;
sample << call.sample;
v1 << single.v = "";
v2 << pair.v = "";
w2 << pair.w = "";
message;
@@

if place(p[0]) in pairs:
	names = [v2, w2]
else:
	names = [v1]
keys = [key(p[0], name) for name in names]
if all(names) and not escaped.intersection(keys) and used.intersection(keys):
	coccinelle.message = (
		"%s() runs on every turn of a loop without end, and not every turn uses %s: start the sample when work starts" %
		(sample, " and ".join(names)))
else:
	cocci.include_match(False)

// ----------------------------------------------------------------------------

@script:python depends on report@
p << call.p;
message << turn.message;
@@

coccilib.report.print_report(p[0], "WARNING: " + message)

@script:python depends on org@
p << call.p;
message << turn.message;
@@

cocci.print_main(message, p)

@script:python depends on earlyout@
p << call.p;
sample << call.sample;
message << turn.message;
@@

print("earlyout-call", p[0].line, p[0].column, p[0].current_element_line,
      p[0].current_element_line_end, p[0].current_element, sample, message)

@depends on context && turn@
position call.p;
identifier call.sample;
@@

* sample@p(...)

@finalize:python depends on earlyout@
@@

print("earlyout-end")
