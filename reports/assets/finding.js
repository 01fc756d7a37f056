/* SPDX-License-Identifier: GPL-2.0-only */
/* A finding's page: decide, see the history grow, go on to the next. */
(() => {
	const { $, data, el, decide, undo, begin, listen } = Earlyout;
	const row = data.rows[0];

	function time(seconds) {
		const iso = new Date(1000 * seconds).toISOString();

		return el("time", { datetime: iso.slice(0, 19) + "Z" },
			iso.slice(0, 16).replace("T", " ") + " UTC");
	}

	function historyRow(r) {
		return el("tr", { class: r.undone_by ? "undone" : null },
			el("th", { scope: "row" }, time(r.made)),
			el("td", { "data-label": "Status" }, r.status +
				(r.undone_by ? ", taken back by " + r.undone_by : "")),
			el("td", { "data-label": "Who" }, r.who ?? ""),
			el("td", { "data-label": "Note" }, r.note ?? ""));
	}

	function show() {
		$("now").textContent = row.review ?? "no review yet";
		for (const b of $("decide").querySelectorAll("[data-decide]"))
			b.setAttribute("aria-pressed",
				String(b.dataset.decide === row.review));
		if (!row.history)
			return;
		$("history").hidden = !row.history.length;
		$("history").tBodies[0].replaceChildren(
			...row.history.map(historyRow));
	}

	async function say(status) {
		const note = $("note").value.trim();
		const change = { id: row.id, status };

		if (note)
			change.note = note;
		if (await decide([change]))
			$("note").value = "";
	}

	const go = (id) => () => {
		if (id)
			location.href = `finding-${id}.html`;
	};

	$("decide").hidden = false;
	for (const b of $("decide").querySelectorAll("[data-decide]"))
		b.addEventListener("click", () => say(b.dataset.decide));
	listen(show);
	Keys.bind({
		j: go(data.next), k: go(data.previous), n: go(data.open),
		l: () => { location.href = "list.html"; },
		e: () => $("note").focus(),
		c: () => say("confirmed"), f: () => say("false-positive"),
		u: undo,
	});
	begin();
})();
