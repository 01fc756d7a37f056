// SPDX-License-Identifier: GPL-2.0-only
/// The same statistics are flushed twice, with nothing in between that could
/// have counted more. Drop the second flush.
///
//# What SmPL does not see, and a reviewer has to: what a macro does behind its
//# name, and whether the first flush is one that may do nothing.
//
// Confidence: Moderate
// Copyright: (C) 2026 The earlyout authors
// Options: --no-includes --include-headers
// Comments: The blocks between "earlyout: model" and "earlyout: end" are made
//   from the cost model, analyzer/model/ of earlyout: edit that and not them.
//   Between the two there are only tests, locks, assertions and functions that
//   only compute: a function that reads statistics counts as one that may add
//   to them. Both name the same function; a wrapper and what it calls are two.
//   The mode patch leaves alone what is all of a branch, and what comes behind
//   a lock or a cond_resched(): while it waits, others may count on. The mode
//   earlyout is report, written for a program.
// Keywords: rstat, flush

virtual patch
virtual context
virtual org
virtual report
virtual earlyout

@call@
identifier flush = {
// earlyout: model calls
	cgroup_rstat_flush, cgroup_rstat_flush_irqsafe,
	cgroup_rstat_flush_atomic, css_rstat_flush
// earlyout: end
};
position p;
expression list es;
@@

flush@p(es)

// The second one, on some path from the first.
@again depends on call exists@
position call.p, q;
identifier call.flush;
expression list call.es;
@@

flush@p(es);
... when != flush(...)
flush@q(es);

// Something between them, on some path, that is not known to be harmless.
@between depends on again exists@
position call.p, again.q;
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
identifier fld, late;
expression e1, e2;
assignment operator op;
@@

flush@p(...);
... when != flush@q(...)
\(fn(...)\|e1->fld(...)\|e1.fld(...)\|(*e1)(...)\|e1[...](...)
\|e1 op e2\|e1++\|e1--\|++e1\|--e1\)
... when != flush@p(...)
late@q(...);

// Some path to the second does not come by the first.
@around depends on again exists@
position call.p, again.q;
identifier call.flush;
identifier f, late;
@@

f(...) {
... when != flush@p(...)
late@q(...);
... when any
}

@script:python second@
p << call.p;
q << again.q;
flush << call.flush;
b << between.late = "";
a << around.late = "";
message;
@@

if a or b or p[0].line == q[0].line:
	cocci.include_match(False)
else:
	coccinelle.message = (
		"%s() was called for the same thing on line %s, on every path here: drop the second" %
		(flush, p[0].line))

// ----------------------------------------------------------------------------

@script:python depends on report@
p << again.q;
message << second.message;
@@

coccilib.report.print_report(p[0], "WARNING: " + message)

@script:python depends on org@
p << again.q;
message << second.message;
@@

cocci.print_main(message, p)

@script:python depends on earlyout@
p << again.q;
flush << call.flush;
message << second.message;
@@

print("earlyout-call", p[0].line, p[0].column, p[0].current_element_line,
      p[0].current_element_line_end, p[0].current_element, flush, message)

@depends on context && second@
position again.q;
identifier call.flush;
@@

* flush@q(...)

// It may have waited for a lock or for its turn, while others counted on.
@waits depends on patch && second exists@
position call.p, again.q, w;
identifier call.flush;
identifier take = {guard,
// earlyout: model waits
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
	css_get_many, cond_resched, __cond_resched, cpu_relax
// earlyout: end
};
identifier late;
@@

flush@p(...);
... when != flush@q(...)
take(...)
... when != flush@p(...)
late@q@w(...);

// All that a branch does: without it nothing would be there.
@branch depends on patch && second@
position again.q, b;
identifier late;
iterator I;
expression E;
statement S;
@@

(
if (E) late@q@b(...);
|
if (E) late@q@b(...); else S
|
if (E) S else late@q@b(...);
|
while (E) late@q@b(...);
|
for (...; ...; ...) late@q@b(...);
|
I(...) late@q@b(...);
)

// A label needs a statement behind it.
@label depends on patch && second@
position again.q, l;
identifier late, out;
@@

out: late@q@l(...);

@depends on patch && second@
position again.q;
position at != {waits.w, branch.b, label.l};
identifier call.flush;
@@

- flush@q@at(...);

@finalize:python depends on earlyout@
@@

print("earlyout-end")
