import { h, text } from "./dom.js";

const EVERY_MS = 2_000;

/** The graph on its workers, in words, as `linerate ctl explain` says it. */
export function explanation(page) {
  const host = document.getElementById("graph-workers");
  const words = h("pre", { class: "explanation", tabindex: "0", "aria-label": "Elements of each worker, and what they hand on to whom" });
  host.append(words);
  let askedMs = 0;

  const ask = async () => {
    askedMs = Date.now();
    try {
      text(words, (await page.api.get(page.path("api/explain"))).text);
    } catch (e) {
      text(words, e.message);
    }
  };
  return () => {
    if (!host.hidden && Date.now() - askedMs >= EVERY_MS) {
      ask();
    }
  };
}
