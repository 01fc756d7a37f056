/* SPDX-License-Identifier: GPL-2.0-only */
/* A finding's page: decide, see the history grow, go on to the next. */
(() => {
	const { $, data, undo, begin } = Earlyout;
	const say = Decide(data.rows[0], "");

	const go = (id) => () => {
		if (id)
			location.href = `finding-${id}.html`;
	};

	Keys.bind({
		j: go(data.next), k: go(data.previous), n: go(data.open),
		l: () => { location.href = "list.html"; },
		e: () => $("note").focus(),
		c: () => say("confirmed"), f: () => say("false-positive"),
		u: undo,
	});
	begin();
})();
