/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the list and the findings share: the rows, the reviewer's decisions,
 * undo. A served page sends decisions to the database at once; a page that
 * is a file collects them, to be saved and imported. Text goes into the page
 * as text only.
 */
"use strict";

const Earlyout = (() => {
	const $ = (id) => document.getElementById(id);
	const data = JSON.parse($("data").textContent);
	const rows = new Map((data.rows ??= unpack()).map((r) => [r.id, r]));
	const base = new Map(); /* rows as they were before a decision */
	const listeners = [];
	const scope = "earlyout:" + data.database + ":";
	let clock = -1;

	/* As pack.c writes them. */
	function unpack() {
		const words = [undefined];
		const all = [];

		for (const part of document.querySelectorAll("script.rows")) {
			const { words: more, rows } = JSON.parse(part.textContent);

			words.push(...more);
			for (const r of rows)
				all.push({ id: words[r[0]], rule: words[r[1]],
					file: words[r[2]], line: r[3],
					function: words[r[4]], call: words[r[5]],
					guard: words[r[6]], message: words[r[7]],
					confidence: words[r[8]], fix: words[r[9]],
					engines: r[10], status: words[r[11]],
					version: 0, ...r[12] });
		}
		return all;
	}

	/* Some browsers have no storage for files: then a page forgets. */
	function storage(area) {
		const memory = new Map();

		return {
			get(key, otherwise) {
				try {
					const s = window[area].getItem(scope + key);
					return s === null ? otherwise : JSON.parse(s);
				} catch {
					return memory.get(key) ?? otherwise;
				}
			},
			set(key, value) {
				memory.set(key, value);
				try {
					window[area].setItem(scope + key, JSON.stringify(value));
				} catch { /* in memory it is */ }
			},
		};
	}
	const kept = storage("localStorage");
	const session = storage("sessionStorage");

	function el(name, attributes, ...children) {
		const e = document.createElement(name);

		for (const [key, value] of Object.entries(attributes ?? {}))
			if (value !== null && value !== undefined)
				e.setAttribute(key, value);
		e.append(...children.filter((c) => c !== null));
		return e;
	}

	function say(text) {
		$("said").textContent = text;
	}

	function changed() {
		for (const f of listeners)
			f();
		showButtons();
	}

	/* "10,000"; the first toLocaleString() takes longer than a page. */
	function count(n) {
		return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
	}

	function plural(n, one, many) {
		return count(n) + " " + (n === 1 ? one : many);
	}

	function newKey() {
		const bytes = crypto.getRandomValues(new Uint8Array(16));

		return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
	}

	function who() {
		return $("who").value.trim() || data.who || "";
	}

	/* A page that is a file: decisions wait in the browser. */

	const collected = () => kept.get("decisions", []);

	function overlay() {
		for (const [id, was] of base)
			Object.assign(rows.get(id), was);
		for (const d of collected()) {
			const r = rows.get(d.id);

			/* The report is younger: it was imported, or overtaken. */
			if (!r || d.expect < r.version)
				continue;
			if (!base.has(d.id))
				base.set(d.id, { review: r.review, note: r.note,
					who: r.who, version: r.version });
			Object.assign(r, { review: d.status, note: d.note,
				who: d.who, version: d.expect + 1 });
		}
	}

	function collect(changes) {
		const batch = newKey();
		const made = Math.floor(Date.now() / 1000);
		const all = collected();

		for (const c of changes)
			all.push({ ...c, who: who(), key: newKey(), made, batch,
				expect: rows.get(c.id).version });
		kept.set("decisions", all);
		overlay();
		say(plural(changes.length, "decision", "decisions") + " collected");
	}

	function uncollect() {
		const all = collected();
		const last = all.at(-1)?.batch;

		kept.set("decisions", all.filter((d) => d.batch !== last));
		overlay();
		say("taken back");
	}

	function save() {
		const changes = collected().map((d) => ({ id: d.id, status: d.status,
			note: d.note, expect: d.expect, key: d.key, made: d.made }));
		const text = JSON.stringify({ schema: "earlyout-review/1",
			run: data.run, who: who() || undefined, changes }, null, 1);
		const url = URL.createObjectURL(new Blob([text + "\n"],
			{ type: "application/json" }));

		el("a", { href: url, download: "earlyout-review.json" }).click();
		setTimeout(() => URL.revokeObjectURL(url), 10000);
		say("saved; now: earlyout review --import earlyout-review.json");
	}

	function forget() {
		kept.set("decisions", []);
		overlay();
		say("forgotten");
		changed();
	}

	/* A served page: decisions go to the database. */

	function merge(states) {
		for (const s of states) {
			const r = rows.get(s.id);

			if (r)
				Object.assign(r, { version: s.version,
					review: s.review ?? undefined,
					note: s.note ?? undefined,
					who: s.who ?? undefined, history: s.history });
		}
	}

	async function ask(method, path, body) {
		const answer = await fetch(path, {
			method, body, cache: "no-store",
			headers: body ? { "Content-Type": "application/json",
				"X-Earlyout-Token": kept.get("token", "") } : {},
		});

		if (!answer.ok)
			throw new Error((await answer.text()).trim());
		return answer.json();
	}

	async function send(changes) {
		const answer = await ask("POST", "api/review", JSON.stringify({
			schema: "earlyout-review/1", who: who() || undefined,
			changes }));

		merge(answer.state);
		clock = answer.clock;
		return answer.changes;
	}

	function noteStale(changes, outcomes) {
		const stale = session.get("stale", []);

		changes.forEach((c, i) => {
			if (outcomes[i].outcome === "stale")
				stale.push(c);
		});
		session.set("stale", stale);
		showStale();
	}

	async function sendDecisions(changes) {
		const full = changes.map((c) => ({ ...c, key: newKey(),
			expect: rows.get(c.id).version }));
		const outcomes = await send(full);
		const stored = outcomes.filter((o) => o.outcome === "stored");
		const stack = session.get("undo", []);

		if (stored.length) {
			stack.push(stored.map((o) => ({ id: o.id,
				expect: rows.get(o.id)?.version })));
			session.set("undo", stack.slice(-100));
		}
		noteStale(changes, outcomes);
		say(plural(stored.length, "decision", "decisions") + " stored" +
			(stored.length < outcomes.length ?
				"; others were faster with the rest" : ""));
		return stored.length === outcomes.length;
	}

	async function sendUndo() {
		const stack = session.get("undo", []);
		const last = stack.pop();
		const outcomes = await send(last.map((c) => ({ ...c, undo: true })));
		const n = outcomes.filter((o) => o.outcome === "stored").length;

		session.set("undo", stack);
		say(n === last.length ? "taken back" :
			"somebody has said something since: it was not taken back");
	}

	/* What others overtook: both words are shown, none is lost. */
	function showStale() {
		const stale = session.get("stale", []);

		$("stale").replaceChildren(...stale.map((c, i) => {
			const r = rows.get(c.id);
			const now = r?.review ?
				`${r.who ?? "Somebody"} says ${r.review}` +
					(r.note ? `: “${r.note}”` : "") :
				"Its review was taken back meanwhile";
			const again = el("button", { type: "button" }, "Store mine too");
			const drop = el("button", { type: "button" }, "Drop mine");
			const remove = () => {
				const rest = session.get("stale", []);

				rest.splice(i, 1);
				session.set("stale", rest);
				showStale();
			};

			again.addEventListener("click", () => {
				remove();
				decide([c]);
			});
			drop.addEventListener("click", remove);
			return el("p", { class: "note" },
				`${r ? r.function : c.id}: ${now}. You said ${c.status}` +
				(c.note ? `: “${c.note}”. ` : ". "), again, " ", drop);
		}));
	}

	/* Whether all went through; what was typed stays when it did not. */
	async function decide(changes) {
		if (!changes.length)
			return false;
		let done = true;

		try {
			if (data.live)
				done = await sendDecisions(changes);
			else
				collect(changes);
		} catch (e) {
			done = false;
			say("not stored: " + e.message);
		}
		changed();
		return done;
	}

	async function undo() {
		if ($("undo").disabled)
			return;
		try {
			if (data.live)
				await sendUndo();
			else
				uncollect();
		} catch (e) {
			say("not taken back: " + e.message);
		}
		changed();
	}

	function showButtons() {
		const n = data.live ? session.get("undo", []).length :
			collected().length;

		$("undo").disabled = !n;
		if (data.live)
			return;
		$("save").disabled = $("forget").disabled = !n;
		$("save").textContent = n ? `Save ${plural(n, "decision",
			"decisions")}` : "Save decisions";
	}

	/* What other reviewers do. */
	async function look() {
		if (!document.hidden) {
			try {
				const answer = await ask("GET",
					"api/state?since=" + clock);
				if (answer.clock !== clock) {
					clock = answer.clock;
					merge(answer.state);
					changed();
				}
			} catch { /* the next look may do */ }
		}
		setTimeout(look, 4000);
	}

	/* The token stands behind the # of the address that serve prints. */
	function takeToken() {
		const words = new URLSearchParams(location.hash.slice(1));
		const token = words.get("token");

		if (!token)
			return;
		kept.set("token", token);
		words.delete("token");
		history.replaceState(null, "", "#" + words);
	}

	function begin() {
		$("bar").hidden = false;
		$("who").value = kept.get("who", data.who ?? "");
		$("who").addEventListener("change", () => {
			kept.set("who", $("who").value.trim());
		});
		$("undo").addEventListener("click", undo);
		$("save")?.addEventListener("click", save);
		$("forget")?.addEventListener("click", forget);
		if (data.live) {
			takeToken();
			showStale();
			look();
		} else {
			overlay();
		}
		changed();
	}

	return { $, data, rows, el, count, plural, decide, undo, say, begin,
		kept, listen: (f) => listeners.push(f) };
})();
