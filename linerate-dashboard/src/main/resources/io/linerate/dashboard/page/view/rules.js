import { count, packetRate, percent } from "../model/format.js";
import { RuleRates } from "../model/rule-rates.js";
import { bar, h, keyed, setBar, text } from "./dom.js";
import { roving } from "./roving.js";
import { Sorting } from "./sorting.js";
import { sureButton } from "./sure.js";

const ROW_PX = 34;
/** As the style has it. */
const MOST_HEIGHT_PX = 396;
/** Rows above and below those that are to be seen. */
const SPARE = 6;
const FILTER = "rules";

const isDrop = ({ rule }) => /\bdrop$|^drop\b|^[\d:]/.test(rule);

/**
 * The rules with their hits, in the order in which they are tried, or by hits; adding and removing one. Of many,
 * only the rows that are to be seen are made.
 */
export function rules(page) {
  const section = document.getElementById("rules");
  const rates = new RuleRates();
  const sorting = new Sorting(page.address, "rulesort", [
    ["place", "#", "number", ({ index }) => index],
    ["line", "Line", "number narrow-not", ({ line }) => line],
    ["rule", "Rule", "", ({ rule }) => rule],
    ["hits", "Hits", "number", ({ hits }) => hits],
    ["now", "Now", "number", ({ index }) => rates.rate(index)],
    ["share", "Share", "narrow-not", null],
    ["change", h("span", { class: "hidden" }, "Changes"), "", null],
  ], null, () => page.redraw());
  const [body, above, below] = [h("tbody"), h("tbody", { "aria-hidden": "true" }), h("tbody", { "aria-hidden": "true" })];
  const [space, rest] = [h("tr", { class: "space" }), h("tr", { class: "space" })];
  above.append(space);
  below.append(rest);
  const table = h("table", { class: "rules" }, h("thead", {}, h("tr", {}, ...sorting.heads)), above, body, below);
  const box = h("div", { class: "scroll rule-box", onscroll: () => draw() }, table);
  const filter = h("input", {
    type: "search", id: "rule-filter", placeholder: "filter", "aria-label": "Filter the rules", value: page.address.get(FILTER) ?? "",
    oninput: () => {
      page.address.set(FILTER, filter.value);
      box.scrollTop = 0;
      page.redraw();
    },
  });
  const shown = h("p", { class: "quiet", role: "status" });
  const form = addForm(page);
  document.getElementById("rule-tools").prepend(shown, filter);
  document.getElementById("rule-list").append(box, form.node);
  document.getElementById("reload-rules").addEventListener("click", () =>
    page.act("The rules were read anew.", () => page.api.change("POST", "api/rules/reload", {})));
  const keepStop = roving(box, "button", (_, key) => scrollOn(box, key, draw));

  let rows = [];
  let hits = 0;
  const draw = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / ROW_PX) - SPARE);
    const last = Math.min(rows.length, Math.ceil((box.scrollTop + MOST_HEIGHT_PX) / ROW_PX) + SPARE);
    space.style.height = `${first * ROW_PX}px`;
    rest.style.height = `${(rows.length - last) * ROW_PX}px`;
    keyed(body, rows.slice(first, last), (rule) => `${rule.index} ${rule.rule}`, (rule) => makeRow(page, rule, form), (row, rule, i) => {
      row.setAttribute("aria-rowindex", first + i + 2);
      text(row.cells[0], rule.index + 1);
      text(row.cells[1], rule.line > 0 ? rule.line : "–");
      text(row.cells[3], count(rule.hits));
      text(row.cells[4], packetRate(rates.rate(rule.index)));
      const share = hits > 0 ? rule.hits / hits : 0;
      setBar(row.cells[5].firstChild, share);
      row.cells[5].title = percent(share);
    });
    keepStop();
  };

  return () => {
    const all = (page.state.rules ?? []).map((rule, index) => ({ ...rule, index }));
    section.hidden = all.length === 0;
    document.querySelector('nav a[href="#rules"]').hidden = section.hidden;
    rates.take(page.state.timeMs, all);
    hits = all.reduce((sum, rule) => sum + rule.hits, 0);
    const words = filter.value.toLowerCase().trim();
    rows = sorting.sort(words === "" ? all : all.filter(({ rule }) => rule.toLowerCase().includes(words)));
    text(shown, rows.length === all.length ? `${count(all.length)} in all` : `${count(rows.length)} of ${count(all.length)}`);
    table.setAttribute("aria-rowcount", rows.length + 1);
    form.update(all);
    draw();
  };
}

function makeRow(page, rule, form) {
  return h("tr", { "data-rule": rule.rule },
    h("td", { class: "number quiet" }), h("td", { class: "number quiet narrow-not" }),
    h("td", { class: "mono cut", title: rule.rule }, rule.rule),
    h("td", { class: "number" }), h("td", { class: "number" }), h("td", { class: "narrow-not" }, bar(isDrop(rule) ? "drop" : "calm")),
    h("td", { class: "number acts" }, ...(rule.fixed ? [] : [
      h("button", { type: "button", class: "changes", title: "Add a rule before this one", "aria-label": `Add a rule before ${rule.rule}`, onclick: () => form.before(rule) }, "+"),
      sureButton("Remove", () => remove(page, rule), { "aria-label": `Remove ${rule.rule}` }),
    ])));
}

async function remove(page, rule) {
  const query = new URLSearchParams({ index: rule.index, rule: rule.rule });
  await page.act(`Removed: ${rule.rule}`, () => page.api.change("DELETE", `api/rules?${query}`));
}

/** Further rows come to be seen when an arrow leads beyond the last one. */
function scrollOn(box, key, draw) {
  const by = { ArrowDown: ROW_PX, ArrowUp: -ROW_PX }[key];
  const before = box.scrollTop;
  if (by) {
    box.scrollTop += by;
    draw();
  }
  return box.scrollTop !== before;
}

/** A new rule, and its place: behind the others where nothing is said. */
function addForm(page) {
  const problem = h("p", { class: "problem", role: "alert" });
  const input = h("input", {
    id: "new-rule", class: "mono", placeholder: "drop 10.0.0.0/8 tcp", autocomplete: "off", spellcheck: "false",
    required: true, "aria-label": "New rule",
  });
  const place = h("input", { id: "rule-place", type: "number", min: 1, placeholder: "# last", "aria-label": "Where the new rule goes" });
  const form = h("form", {
    class: "line",
    onsubmit: async (event) => {
      event.preventDefault();
      text(problem, "");
      const rule = input.value.trim();
      const body = place.value === "" ? { rule } : { rule, index: Number(place.value) - 1 };
      const isDone = await page.act(`Added: ${rule}`, () => page.api.change("POST", "api/rules", body), problem);
      if (isDone) {
        place.value = "";
        input.value = "";
      }
    },
  }, input, place, h("button", { type: "submit", class: "main" }, "Add rule"));
  return {
    node: h("div", {}, form, problem),
    update: (all) => (place.max = Math.max(1, all.length)),
    before: (rule) => {
      place.value = rule.index + 1;
      input.focus();
    },
  };
}
