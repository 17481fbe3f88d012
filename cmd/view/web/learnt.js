// One position asked of every champion of a run: when did it learn this?
import { h, replace, rove, say } from "clade/ui.js";

const pace = 350; // milliseconds a champion in the film of them

// learnt returns the section of a decision v of why. show draws what a champion thinks on the
// board,
// nothing without one.
export function learnt(page, params, v, show) {
  const body = h("div", {});
  const begin =
    h("button", { onclick: () => ask().catch((err) => say(err.message)) },
      "When did it learn this?");
  replace(body, begin);

  async function ask() {
    begin.disabled = true;
    /** @type {WatchAsked[]} */
    const all =
      await page.get("why/champions", { ...params, seat: v.seat, at: v.step, number: v.number })
        .finally(() => { begin.disabled = false; });
    if (page.signal.aborted || !body.isConnected) return;
    const same = (c) => c.chosen === v.chosen;
    const name = (c) => v.candidates[c.chosen].name;
    const lastOther = all.findLastIndex((c) => !same(c));
    const first = all.find(same);
    const since = all[lastOther + 1];
    const here = v.candidates[v.chosen].name;
    const sentence = !since ? `The last champion takes ${name(all.at(-1))} here.`
      : lastOther < 0 ? `Every champion takes ${here} here.`
        : `From @${since.generation} on every champion takes ${here}; `
          + `@${all[lastOther].generation} still takes ${name(all[lastOther])}.`
          + (first !== since ? ` The first to take it was @${first.generation}.` : "");
    const slider =
      h("input",
        { type: "range", class: "scrubber", min: 0, max: all.length - 1, value: all.length - 1,
          "aria-label": "champion",
      onkeydown: (e) => e.stopPropagation(), oninput: () => pick(Number(slider.value)) });
    const told = h("output", { class: "small" });
    const chips =
      all.map((c, i) =>
        h("button",
          { class: same(c) ? "era same" : "era", title: `@${c.generation} takes ${name(c)}`,
      "aria-label": `@${c.generation} takes ${name(c)}`, onclick: () => pick(i) }));
    function pick(i) {
      slider.value = i;
      chips.forEach((chip, k) => chip.classList.toggle("now", k === i));
      told.textContent = `@${all[i].generation} takes ${name(all[i])}`;
      show(all[i]);
    }
    let playing = false;
    const film = h("button", { "aria-label": "Play the champions", onclick: async () => {
      playing = !playing;
      for (let i = Number(slider.value) + 1 < all.length ? Number(slider.value) + 1 : 0;
        playing && body.isConnected && i < all.length; i++) {
        pick(i);
        await new Promise((done) => setTimeout(done, pace));
      }
      playing = false;
    } }, "▶");
    replace(body, h("h3", {}, "When did it learn this?"), h("p", { class: "learnt" }, sentence),
      rove(h("div", { class: "eras" }, chips), ".era", ".era:last-child"),
      h("div", { class: "bar" }, film, slider, told,
        h("button", { onclick: () => { show(null); replace(body, begin); } }, "Close")));
    pick(all.length - 1);
  }
  return body;
}
