/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The review of one finding: what is said of it now, its history, and the
 * controls. The elements' ids begin with @ids. Gives what says a status.
 */
"use strict";

const Decide = (() => {
	const { $, el, decide, listen } = Earlyout;

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

	return (row, ids) => {
		const at = (id) => $(ids + id);
		const buttons = [...at("decide").querySelectorAll("[data-decide]")];

		function show() {
			at("now").textContent = row.review ?? "no review yet";
			for (const b of buttons)
				b.setAttribute("aria-pressed",
					String(b.dataset.decide === row.review));
			if (!row.history)
				return;
			at("history").hidden = !row.history.length;
			at("history").tBodies[0].replaceChildren(
				...row.history.map(historyRow));
		}

		async function say(status) {
			const note = at("note").value.trim();
			const change = { id: row.id, status };

			if (note)
				change.note = note;
			if (await decide([change]))
				at("note").value = "";
		}

		at("decide").hidden = false;
		for (const b of buttons)
			b.addEventListener("click", () => say(b.dataset.decide));
		listen(show);
		return say;
	};
})();
