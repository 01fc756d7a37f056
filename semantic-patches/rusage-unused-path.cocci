// SPDX-License-Identifier: GPL-2.0-only
/// A sample of CPU time is used only under a condition that is known before it
/// is taken. Take it, and the reference that it needs, under the condition.
///
//# What SmPL does not see, and a reviewer has to: a use behind a pointer that
//# was made before, what another CPU does to the operands of the condition, and
//# what the sample measures: it may not move past that.
//
// Confidence: Moderate
// Copyright: (C) 2026 The earlyout authors
// Options: --no-includes --include-headers
// Comments: The blocks between "earlyout: model" and "earlyout: end" are made
//   from the cost model, analyzer/model/ of earlyout: edit that and not them.
//   The condition is an if with all of the uses in its first branch; a result
//   that is no local variable is not looked at. A condition that reads memory
//   counts only with nothing but locks and the like between, one that calls
//   something does not count. There is no mode patch: declarations and
//   references may have to move along. The mode earlyout is report, written
//   for a program.
// Keywords: getrusage, task_cputime

virtual context
virtual org
virtual report
virtual earlyout

@initialize:python@
@@

import re

def compact(text):
	for a, b in ((" -> ", "->"), (" . ", "."), ("& ", "&"), ("( ", "("),
		     (" )", ")"), (" (", "("), ("[ ", "["), (" ]", "]"),
		     (" [", "["), (" ,", ","), ("! ", "!"), (" &&(", " && ("),
		     (" ||(", " || ("), ("&&!", "&& !")):
		text = text.replace(a, b)
	return text

def place(p):
	return p.file, int(p.line), int(p.column)

def key(p, name):
	return p.file, p.current_element, name

uses = {}     # key of a variable: places where it is used
owns = set()  # places in the arguments of samples
outs = {}     # place of a call: names of its results
known = {}    # place of an if: the local variables in its condition
# Places of a call and of an if behind it: there is a way around the call; that
# variable changes between them; something may write to memory there.
around, changed, effects = set(), set(), set()
told = set()  # places of calls

# The names in the condition, None when there is more in it than names.
def names_of(text):
	text = re.sub(r"\b(un)?likely *\(", "(", text)
	if re.search(r"\w *\(|[\"'*?{]|[^=!<>]=[^=]|\+\+|--", text):
		return None
	names = set(re.findall(r"(?<![\w.>])(?<!\. )(?<!> )[A-Za-z_]\w*", text))
	return set(n for n in names
		   if not re.match(r"[A-Z0-9_]+$|true$|false$", n))

def reads_memory(text):
	return re.search(r"->|[^ ]\.|\[| \. ", text) is not None

@call@
identifier sample = {
// earlyout: model samples
	getrusage, thread_group_cputime, thread_group_cputime_adjusted,
	task_cputime_adjusted, task_cputime
// earlyout: end
};
local idexpression v;
position p, o;
@@

sample@p(..., &v@o, ...)

@use depends on call@
local idexpression call.v;
position u;
@@

v@u

@behind depends on call exists@
position call.p, i;
identifier call.sample;
local idexpression call.v;
expression E;
statement S, S2;
position s;
@@

sample@p(...);
... when != v
(
if@i (E) S@s
|
if@i (E) S@s else S2
)

// On some path to the if, the sample was not taken: it may be under the same
// condition already.
@around depends on behind exists@
position call.p, behind.i;
identifier call.sample;
identifier fn;
expression E;
statement S, S2;
@@

fn(...) {
... when != sample@p(...)
(
if@i (E) S
|
if@i (E) S else S2
)
... when any
}

@variable depends on behind@
position behind.i;
local idexpression x;
statement S, S2;
@@

(
if@i (<+... x ...+>) S
|
if@i (<+... x ...+>) S else S2
)

// What the condition is made of, changed between the two.
@change depends on behind exists@
position call.p, behind.i;
identifier call.sample;
local idexpression variable.x;
expression e, E;
assignment operator op;
statement S, S2;
@@

sample@p(...);
... when any
\(x op e\|x++\|x--\|++x\|--x\|&x\)
... when any
(
if@i (E) S
|
if@i (E) S else S2
)

// Anything at all between the two that may write to memory.
@effect depends on behind exists@
position call.p, behind.i;
identifier call.sample;
identifier fn != {guard,
// earlyout: model quiet
	spin_lock, spin_lock_bh, spin_lock_irq, spin_lock_irqsave,
	raw_spin_lock, raw_spin_lock_bh, raw_spin_lock_irq,
	raw_spin_lock_irqsave, _raw_spin_lock, _raw_spin_lock_bh,
	_raw_spin_lock_irq, _raw_spin_lock_irqsave, spin_trylock,
	spin_trylock_irq, _raw_spin_trylock, _raw_spin_trylock_bh,
	raw_spin_trylock, mutex_trylock, arch_local_irq_save,
	arch_local_irq_disable, mutex_lock, mutex_lock_nested, mutex_lock_io,
	_mutex_lock_nest_lock, down_read, down_write, down_read_nested,
	down_write_nested, read_lock, read_lock_bh, read_lock_irq, write_lock,
	write_lock_bh, write_lock_irq, _raw_read_lock, _raw_read_lock_irq,
	_raw_write_lock, _raw_write_lock_irq, rcu_read_lock, rcu_read_lock_bh,
	rcu_read_lock_sched, __rcu_read_lock, srcu_read_lock, preempt_disable,
	local_irq_disable, local_bh_disable, get_task_struct, css_get,
	css_get_many, kfree, kvfree, vfree, spin_unlock, spin_unlock_bh,
	spin_unlock_irq, spin_unlock_irqrestore, raw_spin_unlock,
	raw_spin_unlock_bh, raw_spin_unlock_irq, raw_spin_unlock_irqrestore,
	_raw_spin_unlock, _raw_spin_unlock_bh, _raw_spin_unlock_irq,
	_raw_spin_unlock_irqrestore, arch_local_irq_restore,
	arch_local_irq_enable, mutex_unlock, up_read, up_write, read_unlock,
	read_unlock_bh, read_unlock_irq, write_unlock, write_unlock_bh,
	write_unlock_irq, _raw_read_unlock, _raw_read_unlock_irq,
	_raw_write_unlock, _raw_write_unlock_irq, rcu_read_unlock,
	rcu_read_unlock_bh, rcu_read_unlock_sched, __rcu_read_unlock,
	srcu_read_unlock, preempt_enable, local_irq_enable, local_bh_enable,
	put_task_struct, css_put, css_put_many, might_sleep, __might_sleep,
	__might_resched, lockdep_assert_held, lock_is_held_type,
	debug_lockdep_rcu_enabled, lockdep_rcu_suspicious,
	warn_bogus_irq_restore, rcu_read_lock_held, rcu_read_lock_any_held,
	rcu_read_lock_sched_held, cond_resched, __cond_resched, cpu_relax,
	list_empty, list_empty_careful, hlist_empty, llist_empty,
	list_is_singular, __builtin_expect, __builtin_constant_p,
	__builtin_object_size, __builtin_unreachable, __builtin_offsetof,
	__builtin_types_compatible_p, __builtin_choose_expr,
	__builtin_return_address, strlen, strcmp, strncmp, memcmp,
	arch_static_branch, arch_static_branch_jump, static_key_count,
	static_key_false, static_key_true, ____wrong_branch_error, get_current,
	smp_processor_id, raw_smp_processor_id, atomic_read, atomic64_read,
	atomic_long_read, test_bit, time_after64
// earlyout: end
};
identifier fld;
expression e1, e2, E;
assignment operator op;
statement S, S2;
@@

sample@p(...);
... when any
\(fn(...)\|e1->fld(...)\|e1.fld(...)\|(*e1)(...)\|e1[...](...)
\|e1 op e2\|e1++\|e1--\|++e1\|--e1\)
... when any
(
if@i (E) S
|
if@i (E) S else S2
)

// ----------------------------------------------------------------------------

@script:python@
p << call.p;
o << call.o;
v << call.v;
@@

outs.setdefault(place(p[0]), set()).add(v)
owns.update(place(q) for q in o)

@script:python@
u << use.u;
v << call.v;
@@

uses.setdefault(key(u[0], v), set()).update(place(q) for q in u)

@script:python@
p << call.p;
i << behind.i;
E << around.E;
@@

around.add((place(p[0]), place(i[0])))

@script:python@
i << behind.i;
x << variable.x;
@@

known.setdefault(place(i[0]), set()).add(x)

@script:python@
p << call.p;
i << behind.i;
x << variable.x;
E << change.E;
@@

changed.add((place(p[0]), place(i[0]), x))

@script:python@
p << call.p;
i << behind.i;
E << effect.E;
@@

effects.add((place(p[0]), place(i[0])))

@script:python moved@
p << call.p;
i << behind.i;
s << behind.s;
E << behind.E;
v << call.v;
sample << call.sample;
message;
@@

here, there = place(p[0]), place(i[0])
first = int(s[0].line), int(s[0].column)
last = int(s[0].line_end), int(s[0].column_end)

used = set()
for w in outs[here]:
	used |= uses.get(key(p[0], w), set()) - owns
is_used_there = used and all(first <= q[1:] <= last for q in used)

def is_known_before():
	names = names_of(E)
	if names is None or not names or names & outs[here]:
		return False
	if reads_memory(E):
		return (here, there) not in effects
	return (names <= known.get(there, set()) and
		not any((here, there, x) in changed for x in names))

if (is_used_there and is_known_before() and here not in told and
    (here, there) not in around):
	told.add(here)
	coccinelle.message = (
		"%s() is used only if %s, which is known before: move it under the condition" %
		(sample, compact(E)))
else:
	cocci.include_match(False)

// ----------------------------------------------------------------------------

@script:python depends on report@
p << call.p;
message << moved.message;
@@

coccilib.report.print_report(p[0], "WARNING: " + message)

@script:python depends on org@
p << call.p;
message << moved.message;
@@

cocci.print_main(message, p)

@script:python depends on earlyout@
p << call.p;
sample << call.sample;
message << moved.message;
@@

print("earlyout-call", p[0].line, p[0].column, p[0].current_element_line,
      p[0].current_element_line_end, p[0].current_element, sample, message)

@depends on context && moved@
position call.p;
identifier call.sample;
@@

* sample@p(...)

@finalize:python depends on earlyout@
@@

print("earlyout-end")
