// SPDX-License-Identifier: GPL-2.0-only
/// Statistics are flushed, then a test that has nothing to do with them leaves.
/// Test first.
///
//# What SmPL does not see, and a reviewer has to: whether the test can be made
//# before the call, without a lock that is taken between the two, and whether
//# the flush is what the caller wants of the function.
//
// Confidence: Moderate
// Copyright: (C) 2026 The earlyout authors
// Options: --no-includes --include-headers
// Comments: The blocks between "earlyout: model" and "earlyout: end" are made
//   from the cost model, analyzer/model/ of earlyout: edit that and not them.
//   The test is an if that returns at once; it looks at local variables, at
//   members of the structs that they point to when the model does not say that
//   a flush writes to those, and at tests for an empty list. What follows it
//   reads statistics, prints, or uses what another function returns. Between
//   the two are only locks, assertions and functions that compute. A test
//   behind a helper, and one that leaves by a goto, is not seen. There is no
//   mode patch: what the test needs may have to move along. The mode earlyout
//   is report, written for a program.
// Keywords: rstat, flush, early return

virtual context
virtual org
virtual report
virtual earlyout

@initialize:python@
@@

import re

# Structs that a flush writes to.
WRITTEN = {
# earlyout: model written
	"struct cgroup_rstat_cpu",
	"struct css_rstat_cpu",
	"struct cgroup_rstat_base_cpu",
	"struct cgroup_base_stat",
	"struct task_cputime",
	"struct prev_cputime",
	"struct blkg_iostat",
	"struct blkg_iostat_set",
	"struct blkcg_gq_iostat",
	"struct memcg_vmstats",
	"struct memcg_vmstats_percpu",
	"struct lruvec_stats",
	"struct lruvec_stats_percpu",
	"struct lruvec_stat",
	"struct mem_cgroup_per_node_stats",
# earlyout: end
}

# Tests that read no more than the head of their list.
EMPTY = {
# earlyout: model empty-names
	"list_empty",
	"hlist_empty",
# earlyout: end
}

def compact(text):
	for a, b in ((" -> ", "->"), (" . ", "."), ("& ", "&"), ("( ", "("),
		     (" )", ")"), (" (", "("), ("[ ", "["), (" ]", "]"),
		     (" [", "["), (" ,", ","), ("! ", "!"), (" &&(", " && ("),
		     (" ||(", " || ("), ("&&!", "&& !")):
		text = text.replace(a, b)
	return text

def place(p):
	return p.file, p.line, p.column

known = {}  # place of an if: its local variables
types = {}  # the same, and the variable: what it points to
told = set()

# Whether a flush cannot change what the condition says.
def is_independent(text, where):
	names = known.get(where, set())
	text = re.sub(r"\b(un)?likely *\(", "(", text)
	for test in EMPTY:
		text = re.sub(r"\b%s \( & \w+ (->|\.) \w+ \)" % test, "1", text)
	for name in names:
		kind = types.get((where, name))
		if kind and kind not in WRITTEN:
			text = re.sub(r"(?<!-> )(?<!\. )\b%s -> \w+(?! *(->|\.|\[|\())" % name,
				      "1", text)
	if re.search(r"\w *\(|[\"'*?{\[.&]|->|[^=!<>]=[^=]|\+\+|--", text.replace("&&", "")):
		return False
	return all(n in names or re.match(r"[A-Z0-9_]+$|true$|false$", n)
		   for n in re.findall(r"[A-Za-z_]\w*", text))

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

// On every path from the call, with nothing in between that matters, a test.
@behind depends on call exists@
position call.p, i;
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
identifier fld1, fld2, d;
expression e1, e2, e3, e4, e5, e6, e7, E;
assignment operator op;
type T;
statement S;
@@

flush@p(...);
... when != fn(...)
    when != e1->fld1(...)
    when != e2.fld2(...)
    when != (*e3)(...)
    when != e4[...](...)
    when != e5 op e6
    when != e7++
    when != e7--
    when != ++e7
    when != --e7
    when != T d = e6;
if@i (E) S

// It leaves, with a value that is there.
@leaves depends on behind@
position behind.i;
constant C;
local idexpression v;
symbol true, false;
expression E;
@@

(
if@i (E) return;
|
if@i (E) return \(C\|-C\|true\|false\|v\);
)

@variable depends on leaves@
position behind.i;
local idexpression x;
statement S;
@@

if@i (<+... x ...+>) S

@pointer depends on leaves@
position behind.i;
type T;
local idexpression T *x;
statement S;
@@

if@i (<+... x ...+>) S

// The other side uses what was flushed, or may.
@used depends on leaves exists@
position behind.i;
identifier reader = {
// earlyout: model readers
	memcg_page_state, memcg_page_state_local, memcg_page_state_output,
	memcg_page_state_local_output, memcg_events, memcg_events_local,
	lruvec_page_state, lruvec_page_state_local, cgroup_rstat_cpu,
	cgroup_base_stat_cputime_show, mem_cgroup_nr_lru_pages,
	mem_cgroup_node_nr_lru_pages, mem_cgroup_usage,
	memcg_vmstats_needs_flush, seq_printf, seq_puts, seq_putc, seq_write,
	seq_put_decimal_ull, seq_put_decimal_ll, seq_buf_printf, seq_buf_puts,
	seq_buf_putc, _printk, printk, sysfs_emit, sysfs_emit_at, scnprintf,
	snprintf, sprintf, strscpy
// earlyout: end
};
identifier fn != {
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
expression e, E;
statement S;
@@

if@i (E) S
... when any
(
reader(...)
|
e = <+... fn(...) ...+>
)

@given depends on leaves exists@
position behind.i;
identifier fn != {
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
expression E;
statement S;
@@

if@i (E) S
... when any
return <+... fn(...) ...+>;

@script:python@
i << behind.i;
x << variable.x;
@@

known.setdefault(place(i[0]), set()).add(x)

@script:python@
i << behind.i;
x << pointer.x;
T << pointer.T;
@@

types[place(i[0]), x] = T.strip()

@script:python first@
p << call.p;
flush << call.flush;
i << behind.i;
E << leaves.E;
used1 << used.E = "";
used2 << given.E = "";
message;
@@

here, there = place(p[0]), place(i[0])
if (used1 or used2) and here not in told and is_independent(E, there):
	told.add(here)
	coccinelle.message = (
		"%s() runs before the test of line %s, which leaves without using it and does not depend on it: test %s first" %
		(flush, i[0].line, compact(E)))
else:
	cocci.include_match(False)

// ----------------------------------------------------------------------------

@script:python depends on report@
p << call.p;
message << first.message;
@@

coccilib.report.print_report(p[0], "WARNING: " + message)

@script:python depends on org@
p << call.p;
message << first.message;
@@

cocci.print_main(message, p)

@script:python depends on earlyout@
p << call.p;
flush << call.flush;
message << first.message;
@@

print("earlyout-call", p[0].line, p[0].column, p[0].current_element_line,
      p[0].current_element_line_end, p[0].current_element, flush, message)

@depends on context && first@
position call.p;
identifier call.flush;
@@

* flush@p(...)

@finalize:python depends on earlyout@
@@

print("earlyout-end")
