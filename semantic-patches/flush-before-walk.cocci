// SPDX-License-Identifier: GPL-2.0-only
/// Statistics are flushed for nothing but a walk over a list, and the list
/// may be empty. Test for that first and return: the next flush collects
/// what this one would have.
///
//# What SmPL does not see, and a reviewer has to: whether an empty list means
//# that there is nothing to show (and not that something is shown another
//# way), whether the head can be reached before the call, whether the call
//# fills the list that is walked, a lock that is taken by one function and
//# released by another, and what a macro does behind its name.
///
// Confidence: Moderate
// Copyright: (C) 2026 The earlyout authors
// Options: --no-includes --include-headers
// Comments: The blocks between "earlyout: model" and "earlyout: end" are made
//   from the cost model, analyzer/model/ of earlyout: edit that and not them.
//   Functions with a scoped_guard() are parsed only with
//   SPFLAGS="--macro-file <earlyout>/semantic-patches/earlyout-macros.h".
//   The mode earlyout is report, written for a program.
// Keywords: rstat, flush, list_empty, hlist_empty, early return

virtual patch
virtual context
virtual org
virtual report
virtual earlyout

@initialize:python@
@@

# The test that says that there is nothing to walk.
EMPTY = {
# earlyout: model tests
	"list_for_each": "list_empty",
	"list_for_each_reverse": "list_empty",
	"list_for_each_prev": "list_empty",
	"list_for_each_rcu": "list_empty",
	"list_for_each_safe": "list_empty",
	"list_for_each_prev_safe": "list_empty",
	"list_for_each_entry": "list_empty",
	"list_for_each_entry_reverse": "list_empty",
	"list_for_each_entry_rcu": "list_empty",
	"list_for_each_entry_srcu": "list_empty",
	"list_for_each_entry_lockless": "list_empty",
	"list_for_each_entry_safe": "list_empty",
	"list_for_each_entry_safe_reverse": "list_empty",
	"hlist_for_each": "hlist_empty",
	"hlist_for_each_safe": "hlist_empty",
	"hlist_for_each_entry": "hlist_empty",
	"hlist_for_each_entry_safe": "hlist_empty",
	"hlist_for_each_entry_rcu": "hlist_empty",
	"hlist_for_each_entry_srcu": "hlist_empty",
	"hlist_for_each_entry_rcu_notrace": "hlist_empty",
	"hlist_for_each_entry_rcu_bh": "hlist_empty",
# earlyout: end
}

def compact(text):
	for a, b in ((" -> ", "->"), (" . ", "."), ("& ", "&"), ("( ", "("),
		     (" )", ")"), (" (", "("), ("[ ", "["), (" ]", "]"),
		     (" [", "["), (" ,", ",")):
		text = text.replace(a, b)
	return text[0] + text[1:].lstrip() if text[0] in "-*!" else text

// ----------------------------------------------------------------------------
// What the model says

@call@
identifier flush = {
// earlyout: model calls
	cgroup_rstat_flush, cgroup_rstat_flush_irqsafe,
	cgroup_rstat_flush_atomic, css_rstat_flush
// earlyout: end
};
position p;
@@

flush@p(...);

// Gives back a lock that was taken before the call: no early return there.
@unlocks depends on call exists@
position call.p;
position u;
identifier call.flush;
identifier take = {
// earlyout: model acquires
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
	css_get_many
// earlyout: end
};
identifier give = {
// earlyout: model releases
	kfree, kvfree, vfree, spin_unlock, spin_unlock_bh, spin_unlock_irq,
	spin_unlock_irqrestore, raw_spin_unlock, raw_spin_unlock_bh,
	raw_spin_unlock_irq, raw_spin_unlock_irqrestore, _raw_spin_unlock,
	_raw_spin_unlock_bh, _raw_spin_unlock_irq, _raw_spin_unlock_irqrestore,
	arch_local_irq_restore, arch_local_irq_enable, mutex_unlock, up_read,
	up_write, read_unlock, read_unlock_bh, read_unlock_irq, write_unlock,
	write_unlock_bh, write_unlock_irq, _raw_read_unlock,
	_raw_read_unlock_irq, _raw_write_unlock, _raw_write_unlock_irq,
	rcu_read_unlock, rcu_read_unlock_bh, rcu_read_unlock_sched,
	__rcu_read_unlock, srcu_read_unlock, preempt_enable, local_irq_enable,
	local_bh_enable, put_task_struct, css_put, css_put_many
// earlyout: end
};
expression lock;
@@

flush@p@u(...);
... when != take(lock, ...)
give(lock, ...)

@leaves depends on call exists@
position call.p;
position l;
identifier call.flush;
identifier enter = {
// earlyout: model acquires
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
	css_get_many
// earlyout: end
};
identifier leave = {
// earlyout: model releases
	kfree, kvfree, vfree, spin_unlock, spin_unlock_bh, spin_unlock_irq,
	spin_unlock_irqrestore, raw_spin_unlock, raw_spin_unlock_bh,
	raw_spin_unlock_irq, raw_spin_unlock_irqrestore, _raw_spin_unlock,
	_raw_spin_unlock_bh, _raw_spin_unlock_irq, _raw_spin_unlock_irqrestore,
	arch_local_irq_restore, arch_local_irq_enable, mutex_unlock, up_read,
	up_write, read_unlock, read_unlock_bh, read_unlock_irq, write_unlock,
	write_unlock_bh, write_unlock_irq, _raw_read_unlock,
	_raw_read_unlock_irq, _raw_write_unlock, _raw_write_unlock_irq,
	rcu_read_unlock, rcu_read_unlock_bh, rcu_read_unlock_sched,
	__rcu_read_unlock, srcu_read_unlock, preempt_enable, local_irq_enable,
	local_bh_enable, put_task_struct, css_put, css_put_many
// earlyout: end
};
@@

flush@p@l(...);
... when != enter()
leave()

// ----------------------------------------------------------------------------
// From the call to the walk, on every path, with nothing in between but locks,
// assertions and functions that only compute. guard() is undone at the end of
// its scope, by whatever way that is left.

@walk depends on call forall@
// earlyout: model walk-names
iterator name
	list_for_each, list_for_each_reverse, list_for_each_prev,
	list_for_each_rcu, list_for_each_safe, list_for_each_prev_safe,
	list_for_each_entry, list_for_each_entry_reverse,
	list_for_each_entry_rcu, list_for_each_entry_srcu,
	list_for_each_entry_lockless, list_for_each_entry_safe,
	list_for_each_entry_safe_reverse, hlist_for_each, hlist_for_each_safe,
	hlist_for_each_entry, hlist_for_each_entry_safe,
	hlist_for_each_entry_rcu, hlist_for_each_entry_srcu,
	hlist_for_each_entry_rcu_notrace, hlist_for_each_entry_rcu_bh;
expression a1, a2;
// earlyout: end
position call.p, w;
identifier call.flush;
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
identifier fld1, fld2, i;
expression head, e1, e2, e3, e4, e5, e6, e7;
assignment operator op;
type T;
statement S;
@@

flush@p(...);
... when strict
    when != fn(...)
    when != e1->fld1(...)
    when != e2.fld2(...)
    when != (*e3)(...)
    when != e4[...](...)
    when != e5 op e6
    when != e7++
    when != e7--
    when != ++e7
    when != --e7
    when != T i = e6;
(
// earlyout: model walks
list_for_each@w(a1, head, ...) S
|
list_for_each_reverse@w(a1, head, ...) S
|
list_for_each_prev@w(a1, head, ...) S
|
list_for_each_rcu@w(a1, head, ...) S
|
list_for_each_safe@w(a1, a2, head, ...) S
|
list_for_each_prev_safe@w(a1, a2, head, ...) S
|
list_for_each_entry@w(a1, head, ...) S
|
list_for_each_entry_reverse@w(a1, head, ...) S
|
list_for_each_entry_rcu@w(a1, head, ...) S
|
list_for_each_entry_srcu@w(a1, head, ...) S
|
list_for_each_entry_lockless@w(a1, head, ...) S
|
list_for_each_entry_safe@w(a1, a2, head, ...) S
|
list_for_each_entry_safe_reverse@w(a1, a2, head, ...) S
|
hlist_for_each@w(a1, head, ...) S
|
hlist_for_each_safe@w(a1, a2, head, ...) S
|
hlist_for_each_entry@w(a1, head, ...) S
|
hlist_for_each_entry_safe@w(a1, a2, head, ...) S
|
hlist_for_each_entry_rcu@w(a1, head, ...) S
|
hlist_for_each_entry_srcu@w(a1, head, ...) S
|
hlist_for_each_entry_rcu_notrace@w(a1, head, ...) S
|
hlist_for_each_entry_rcu_bh@w(a1, head, ...) S
// earlyout: end
)

// The call is told the list itself: it may well be what fills it.
@fills depends on walk@
position call.p;
position f;
identifier call.flush;
expression walk.head;
@@

flush@p@f(<+... head ...+>);

// Somebody asked already.
@tested depends on walk exists@
position call.p;
position t;
identifier call.flush;
expression walk.head;
identifier test = {
// earlyout: model empty
	list_empty, hlist_empty
// earlyout: end
};
@@

test(head)
... when any
flush@p@t(...);

// The head is not there for the taking: something is called to get at it. A
// name in capitals is an accessor.
@computed depends on walk@
position walk.w, c;
iterator I;
identifier fn !~ "^[A-Z0-9_]+$";
statement S;
@@

I@w@c(..., <+... fn(...) ...+>, ...) S

// ----------------------------------------------------------------------------
// From the walk to the end: nothing that an early return would leave out

@work depends on walk exists@
position walk.w, b;
iterator I;
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
expression e1, e2;
assignment operator op;
statement S;
@@

I@w@b(...) S
... when any
\(fn(...)\|e1->fld(...)\|e1.fld(...)\|(*e1)(...)\|e1[...](...)
\|e1 op e2\|e1++\|e1--\|++e1\|--e1\)

// What is returned is what the walk counts with.
@cursor depends on walk exists@
position walk.w, b;
iterator I;
local idexpression v;
statement S;
@@

I@w@b(..., v, ...) S
... when any
return v;

// ----------------------------------------------------------------------------
// What the function returns after a walk over nothing

@value depends on walk forall@
position call.p, r;
position walk.w;
position p2 != {unlocks.u, leaves.l, fills.f, tested.t};
position w2 != {computed.c, work.b, cursor.b};
identifier call.flush;
iterator I;
expression e;
statement S;
@@

flush@p@p2(...);
... when strict
I@w@w2(...) S
... when strict
return@r e;

// A value that is there before the call as well.
@plain depends on value@
position value.r, k;
constant C;
local idexpression v;
symbol true, false;
@@

return@r@k \(C\|-C\|true\|false\|v\);

@returns depends on walk exists@
position call.p, v;
identifier call.flush;
expression e;
@@

flush@p@v(...);
... when any
return e;

@nothing depends on walk exists@
position call.p;
position walk.w;
position p2 != {unlocks.u, leaves.l, fills.f, tested.t, returns.v};
position w2 != {computed.c, work.b};
identifier call.flush;
iterator I;
statement S;
@@

flush@p@p2(...);
... when any
I@w@w2(...) S

// Both kinds are made one here: a second rule that changes something would
// find the positions above gone.
@script:python early@
flush << call.flush;
w << walk.w;
head << walk.head;
walk1 << value.I = "";
walk2 << nothing.I = "";
e << value.e = "";
k << plain.k = [];
leave;
message;
stop;
@@

walk = walk1 or walk2
if walk2 or k:
	leave = "return %s" % compact(e) if walk1 else "return"
	test = "%s(%s)" % (EMPTY[walk], compact(head))
	coccinelle.leave = leave
	coccinelle.message = (
		"WARNING: %s() is needed only by the %s() on line %s: %s first if %s" %
		(flush, walk, w[0].line, leave, test))
	coccinelle.stop = cocci.make_stmt("if (%s)\n\t%s;" % (test, leave))
else:
	cocci.include_match(False)

// ----------------------------------------------------------------------------

@script:python depends on report@
p << call.p;
message << early.message;
@@

coccilib.report.print_report(p[0], message)

@script:python depends on org@
p << call.p;
w << walk.w;
message << early.message;
@@

cocci.print_main(message, p)
cocci.print_secs("walk", w)

@script:python depends on earlyout@
p << call.p;
flush << call.flush;
w << walk.w;
leave << early.leave;
@@

print("earlyout-match", p[0].line, p[0].column, w[0].line, w[0].column,
      p[0].current_element_line, p[0].current_element_line_end,
      p[0].current_element, flush, leave)

@depends on context@
position call.p;
position walk.w;
identifier call.flush;
iterator I;
statement S;
@@

* flush@p(...);
  ... when any
* I@w(...) S

@depends on patch@
position call.p;
identifier call.flush;
statement early.stop;
@@

+ /* An empty list has nothing to report, so there is nothing to flush for. */
+ stop
  flush@p(...);

@finalize:python depends on earlyout@
@@

print("earlyout-end")
