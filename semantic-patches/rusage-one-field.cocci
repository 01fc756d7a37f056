// SPDX-License-Identifier: GPL-2.0-only
/// A sample of CPU time fills a whole struct, a sum over all threads of the
/// group, and the function uses one field of it. Ask for that field alone.
///
//# What SmPL does not see, and a reviewer has to: a use in code that spatch
//# did not parse or that a macro makes of a name it does not take as its
//# argument, and whether something cheaper gives the same number: the time of
//# the task is not that of its group.
///
// Confidence: Moderate
// Copyright: (C) 2026 The earlyout authors
// Options: --no-includes --include-headers
// Comments: The blocks between "earlyout: model" and "earlyout: end" are made
//   from the cost model, analyzer/model/ of earlyout: edit that and not them.
//   A struct that is handed on is followed into a static function of the same
//   file, once, and only where that uses it by its parameter's fields.
//   There is no mode patch: what to call instead depends on what the field is
//   needed for. The mode earlyout is report, written for a program.
// Keywords: getrusage, thread_group_cputime, task_cputime

virtual context
virtual org
virtual report
virtual earlyout

@initialize:python@
@@

CHEAPER = {
# earlyout: model cheaper
	"getrusage": "task_cputime_adjusted(), for the task's own CPU time",
	"thread_group_cputime": "task_cputime(), for the task's own CPU time",
# earlyout: end
}

# All by (file, function, name of the variable): positions, and the fields that
# are used at them.
uses, fields, handed = {}, {}, {}

def at(p):
	return p.line, p.column

def key(p, name):
	return p.file, p.current_element, name

def note(table, p, name, what):
	table.setdefault(key(p[0], name), {}).update((at(q), what) for q in p)

# The fields that are used of what @name is in the function of @p, but for the
# places @known; None when it gets out of sight.
def fields_of(p, name, known, follow):
	mine = key(p, name)
	out = set()
	for place in uses.get(mine, {}):
		if place in known:
			continue
		if place in fields.get(mine, {}):
			out.add(fields[mine][place])
			continue
		if not follow or place not in handed.get(mine, {}):
			return None
		q, parameter, declared = handed[mine][place]
		theirs = fields_of(q, parameter, declared, False)
		if theirs is None:
			return None
		out |= theirs
	return out

@call@
identifier sample = {
// earlyout: model records
	getrusage, thread_group_cputime
// earlyout: end
};
local idexpression v;
position p;
@@

sample@p(..., &v, ...)

@out depends on call@
identifier sample = {
// earlyout: model records
	getrusage, thread_group_cputime
// earlyout: end
};
local idexpression call.v;
position o;
@@

sample(..., &v@o, ...)

@use depends on call@
local idexpression call.v;
position u;
@@

v@u

@member depends on call@
local idexpression call.v;
identifier fld;
position u;
@@

v@u.fld

// ----------------------------------------------------------------------------
// Handed to a static function of this file

@hand depends on call@
local idexpression call.v;
identifier fn;
expression list[n] before;
position u;
@@

fn(before, &v@u, ...)

@callee depends on call@
identifier hand.fn;
type T, R;
identifier q;
parameter list[hand.n] ps;
position d;
@@

static R fn@d(ps, T *q, ...) { ... }

@theirs depends on callee@
identifier callee.q;
position u;
@@

q@u

@their_field depends on callee@
identifier callee.q, fld;
position u;
@@

q@u->fld

// ----------------------------------------------------------------------------

@script:python depends on use@
u << use.u;
v << call.v;
@@

note(uses, u, v, None)

@script:python depends on member@
u << member.u;
v << call.v;
fld << member.fld;
@@

note(fields, u, v, fld)

@script:python depends on theirs@
u << theirs.u;
q << callee.q;
@@

note(uses, u, q, None)

@script:python depends on their_field@
u << their_field.u;
q << callee.q;
fld << their_field.fld;
@@

note(fields, u, q, fld)

@script:python depends on callee@
u << hand.u;
v << call.v;
d << callee.d;
q << callee.q;
@@

note(handed, u, v, (d[0], q, ()))

@script:python one@
p << call.p;
o << out.o;
v << call.v;
sample << call.sample;
message;
@@

known = set(at(q) for q in o)
left = fields_of(p[0], v, known, True)
if left and len(left) == 1:
	coccinelle.message = (
		"%s() fills all of %s, of which only %s is used%s" %
		(sample, v, left.pop(),
		 ": ask " + CHEAPER[sample] if sample in CHEAPER else ""))
else:
	cocci.include_match(False)

// ----------------------------------------------------------------------------

@script:python depends on report@
p << call.p;
message << one.message;
@@

coccilib.report.print_report(p[0], "WARNING: " + message)

@script:python depends on org@
p << call.p;
message << one.message;
@@

cocci.print_main(message, p)

@script:python depends on earlyout@
p << call.p;
sample << call.sample;
message << one.message;
@@

print("earlyout-call", p[0].line, p[0].column, p[0].current_element_line,
      p[0].current_element_line_end, p[0].current_element, sample, message)

@depends on context && one@
position call.p;
identifier call.sample;
@@

* sample@p(...)

@finalize:python depends on earlyout@
@@

print("earlyout-end")
