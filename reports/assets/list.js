/* SPDX-License-Identifier: GPL-2.0-only */
/* The list: filters and order are in the address; a page of rows is drawn. */
(() => {
	const { $, data, el, count, plural, decide, undo, begin, listen } = Earlyout;
	const form = $("filters");
	const body = $("rows").tBodies[0];
	const engines = { 1: "clang", 2: "smpl", 3: "clang, smpl" };
	const levels = { high: 0, medium: 1, low: 2 };
	const selected = new Set();
	const found = data.rows.filter((r) => !r.gone);
	let shown = found, page = 0, at = -1;

	const values = {
		rule: (r) => r.rule,
		confidence: (r) => r.confidence,
		status: (r) => r.status ?? "new",
		review: (r) => r.suppressed ? "suppressed" : r.review ?? "none yet",
		engine: (r) => engines[r.engines] ?? "none",
		fix: (r) => r.fix,
	};
	const orders = {
		share: (a, b) => (b.weight ?? -1) - (a.weight ?? -1),
		gain: (a, b) => (b.gain ?? -1) - (a.gain ?? -1),
		confidence: (a, b) => levels[a.confidence] - levels[b.confidence],
		file: (a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 :
			a.line - b.line,
	};

	function textOf(r) {
		return r.text ??= [r.id, r.rule, r.file, r.function, r.call,
			r.guard, r.message].join("\n").toLowerCase();
	}

	function percent(x) {
		return (100 * x).toFixed(1) + "%";
	}

	/* Filters */

	function fillChoices() {
		for (const [name, of] of Object.entries(values)) {
			const counts = new Map();
			const select = form.elements[name];
			const was = select.value;

			for (const r of name === "status" ? data.rows : found)
				counts.set(of(r), (counts.get(of(r)) ?? 0) + 1);
			if (was && !counts.has(was))
				counts.set(was, 0);
			select.replaceChildren(el("option", { value: "" }, "any"),
				...[...counts].sort((a, b) => b[1] - a[1]).map(
					([v, n]) => el("option", { value: v },
						`${v} (${count(n)})`)));
			select.value = was;
		}
	}

	function fillFiles() {
		const files = [...new Set(data.rows.map((r) => r.file))].sort();

		$("files").replaceChildren(...files.slice(0, 500).map(
			(f) => el("option", { value: f })));
	}

	function filter() {
		const words = form.elements.q.value.toLowerCase().split(/\s+/)
			.filter(Boolean);
		const file = form.elements.file.value.trim();
		const wanted = Object.entries(values)
			.map(([name, of]) => [of, form.elements[name].value])
			.filter(([, value]) => value);
		const order = orders[form.elements.sort.value];
		/* What is gone is shown when it is asked for. */
		const rows = form.elements.status.value ? data.rows : found;

		shown = rows.filter((r) =>
			wanted.every(([of, value]) => of(r) === value) &&
			(!file || r.file.includes(file)) &&
			words.every((w) => textOf(r).includes(w) ||
				(r.note ?? "").toLowerCase().includes(w)));
		if (order)
			shown = [...shown].sort(order);
		page = Math.min(page, Math.max(0,
			Math.ceil(shown.length / data.page) - 1));
	}

	/* The address holds what is not as it is at first. */
	function toAddress() {
		const words = new URLSearchParams();

		for (const e of form.elements)
			if (e.name && e.value)
				words.set(e.name, e.value);
		if (page)
			words.set("page", page + 1);
		/* A place in a single page stays in the address. */
		if (String(words) || location.hash.includes("="))
			history.replaceState(null, "", "#" + words);
	}

	function fromAddress() {
		const words = new URLSearchParams(location.hash.slice(1));

		for (const e of form.elements) {
			const value = words.get(e.name) ?? "";

			if (!e.name)
				continue;
			/* A value that no row has is an answer too. */
			if (e.tagName === "SELECT" && value &&
			    ![...e.options].some((o) => o.value === value))
				e.append(el("option", { value }, value));
			e.value = value;
		}
		page = Math.max(0, (parseInt(words.get("page"), 10) || 1) - 1);
	}

	/* Rows */

	function tag(kind, text) {
		return el("span", { class: "tag " + kind }, text);
	}

	function tags(r) {
		const all = [tag(r.confidence, r.confidence)];

		if (data.compared && r.status !== "unchanged")
			all.push(tag("high", r.status));
		if (r.suppressed)
			all.push(tag("low", "suppressed"));
		if (r.review)
			all.push(tag(r.review === "false-positive" ||
				r.review === "wont-fix" ? "low" : "", r.review));
		if (r.known)
			all.push(tag("low", "in the baseline"));
		if (r.weight !== undefined)
			all.push(tag("", percent(r.weight) + " of the profile"));
		if (r.gain !== undefined)
			all.push(tag("high", "saves " + percent(r.gain)));
		return all.flatMap((t) => [t, " "]);
	}

	function checkbox(r) {
		const box = el("input", { type: "checkbox",
			"aria-label": `Select ${r.function} in ${r.file}` });

		box.checked = selected.has(r.id);
		box.addEventListener("change", () => {
			if (box.checked)
				selected.add(r.id);
			else
				selected.delete(r.id);
			showCount();
		});
		return box;
	}

	/* In a single page, the list's rows may be more than it has findings. */
	function pageOf(r) {
		return !data.single ? `finding-${r.id}.html` :
			$(r.id) ? "#" + r.id : null;
	}

	function drawGone(r) {
		const cell = (label, ...what) =>
			el("td", { class: "word", "data-label": label }, ...what);

		return el("tr", { class: "gone" }, el("th", { scope: "row" },
			el("code", null, r.function),
			el("span", { class: "place" }, el("code", null, r.file))),
			cell("Rule", r.rule), cell("Call", el("code", null, r.call)),
			el("td", { "data-label": "Status", colspan: 3 },
				tag("low", r.status),
				` last found in run ${r.gone}`));
	}

	function draw(r) {
		if (r.gone)
			return drawGone(r);
		const where = el("th", { scope: "row" }, checkbox(r), " ",
			el("a", { href: pageOf(r) },
				el("code", null, r.function || r.id)),
			el("span", { class: "place" },
				el("code", null, `${r.file}:${r.line}`)));

		return el("tr", { "data-id": r.id }, where,
			el("td", { class: "word", "data-label": "Rule" }, r.rule),
			el("td", { class: "guard",
				"data-label": "Test that can come first" },
				r.guard ? el("code", null, r.guard) : "none"),
			el("td", { "data-label": "Confidence" }, ...tags(r)),
			el("td", { "data-label": "Fix" }, r.fix),
			el("td", { class: "word", "data-label": "Seen by" },
				engines[r.engines] ?? ""));
	}

	const inPage = () => shown.slice(page * data.page,
		(page + 1) * data.page);

	function showCount() {
		const all = $("all");

		$("count").textContent = (shown.length === found.length && !shown[0]?.gone ?
			plural(shown.length, "finding", "findings") :
			shown[0]?.gone ? `${count(shown.length)} no longer found` :
			`${count(shown.length)} of ` +
			plural(found.length, "finding", "findings")) +
			(selected.size ? `, ${selected.size} selected` : "");
		all.checked = selected.size > 0 &&
			shown.every((r) => selected.has(r.id));
	}

	function drawPager() {
		const pages = Math.ceil(shown.length / data.page);
		const step = (text, to, ok) => {
			const b = el("button", { type: "button" }, text);

			b.disabled = !ok;
			b.addEventListener("click", () => {
				page = to;
				at = -1;
				show();
				$("rows").scrollIntoView();
			});
			return b;
		};

		$("pager").replaceChildren(...pages < 2 ? [] : [
			step("Previous", page - 1, page > 0),
			` Page ${page + 1} of ${pages} `,
			step("Next", page + 1, page + 1 < pages)]);
	}

	function show() {
		filter();
		body.replaceChildren(...inPage().map(draw));
		drawPager();
		showCount();
		toAddress();
		mark();
	}

	/* The current row: where keys act. */

	function mark(focus) {
		for (const tr of body.rows)
			tr.classList.remove("current");
		const tr = body.rows[at];

		tr?.classList.add("current");
		if (focus)
			tr?.querySelector("a")?.focus();
	}

	function move(step) {
		at = Math.max(0, Math.min(body.rows.length - 1, at + step));
		mark(true);
	}

	function nextOpen() {
		const rest = inPage();
		const i = rest.findIndex((r, n) => n > at && !r.review && !r.gone);

		if (i < 0) {
			Earlyout.say("no further one without a review on this page");
			return;
		}
		at = i;
		mark(true);
	}

	function targets() {
		const current = inPage()[at];

		return selected.size ? [...selected] :
			current && !current.gone ? [current.id] : [];
	}

	async function say(status) {
		const note = $("batch-note").value.trim();
		const focus = document.activeElement?.closest("tr") !== null;
		const ids = targets();

		if (!ids.length) {
			Earlyout.say("select findings first");
			return;
		}
		if (await decide(ids.map((id) => note ? { id, status, note } :
			{ id, status }))) {
			selected.clear();
			$("batch-note").value = "";
			show();
		}
		mark(focus);
	}

	function start() {
		form.hidden = $("batch").hidden = false;
		fromAddress();
		fillFiles();
		form.addEventListener("input", () => {
			page = 0;
			at = -1;
			show();
		});
		form.addEventListener("submit", (e) => e.preventDefault());
		form.addEventListener("reset", () => setTimeout(() => {
			page = 0;
			show();
		}));
		$("all").addEventListener("change", () => {
			for (const r of shown.filter((one) => !one.gone))
				if ($("all").checked)
					selected.add(r.id);
				else
					selected.delete(r.id);
			show();
		});
		for (const b of $("batch").querySelectorAll("[data-decide]"))
			b.addEventListener("click", () => say(b.dataset.decide));
		addEventListener("hashchange", () => {
			if (location.hash && !location.hash.includes("="))
				return;
			fromAddress();
			show();
			if (data.single)
				$("list").scrollIntoView();
		});
		if (data.single)
			for (const r of found)
				if ($(r.id))
					Decide(r, r.id + "-");
		listen(() => {
			fillChoices();
			show();
		});
	}

	Keys.bind({
		j: () => move(1), k: () => move(-1), n: nextOpen,
		o: () => body.rows[at]?.querySelector("a")?.click(),
		x: () => body.rows[at]?.querySelector("input")?.click(),
		"/": () => form.elements.q.focus(),
		c: () => say("confirmed"), f: () => say("false-positive"),
		u: undo,
	});
	start();
	begin();
})();
