/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys of one letter: can be switched off, and are never taken from a field. */
const Keys = (() => {
	const { $, kept } = Earlyout;
	const dialog = $("keys");
	const on = $("keys-on");

	function isTyping(target) {
		return target.closest?.(
			"textarea, select, input:not([type=checkbox])") !== null;
	}

	function bind(actions) {
		on.checked = kept.get("keys", true);
		on.addEventListener("change", () => kept.set("keys", on.checked));
		$("help").addEventListener("click", () => dialog.showModal());
		document.addEventListener("keydown", (e) => {
			if (e.ctrlKey || e.metaKey || e.altKey || dialog.open)
				return;
			if (e.key === "Escape" && isTyping(e.target)) {
				e.target.blur();
				return;
			}
			if (isTyping(e.target))
				return;
			const action = e.key === "?" ? () => dialog.showModal() :
				on.checked ? actions[e.key] : undefined;

			if (!action)
				return;
			e.preventDefault();
			action();
		});
	}

	return { bind };
})();
