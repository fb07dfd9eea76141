import { ruleId } from "../model/totals.js";
import { count, packetRate, percent } from "../model/format.js";
import { bar, h, keyed, setBar, text } from "./dom.js";
import { sureButton } from "./sure.js";

const isDrop = ({ rule }) => /\bdrop$|^drop\b|^[\d:]/.test(rule);

/** The rules with their hits, in the order in which they are tried; adding and removing one. */
export function rules(page) {
  const section = document.getElementById("rules");
  const body = h("tbody");
  const problem = h("p", { class: "problem", role: "alert" });
  const input = h("input", {
    id: "new-rule", class: "mono", placeholder: "drop 10.0.0.0/8 tcp", autocomplete: "off", spellcheck: "false",
    required: true, "aria-label": "New rule",
  });
  const place = h("select", { "aria-label": "Where the new rule goes" });
  const form = h("form", {
    class: "line",
    onsubmit: async (event) => {
      event.preventDefault();
      text(problem, "");
      const rule = input.value.trim();
      const body = place.value === "" ? { rule } : { rule, index: Number(place.value) };
      const isDone = await page.act(`Added: ${rule}`, () => page.api.change("POST", "api/rules", body), problem);
      if (isDone) {
        place.value = "";
        input.value = "";
      }
    },
  }, input, place, h("button", { type: "submit", class: "main" }, "Add rule"));
  document.getElementById("rule-list").append(
    h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {},
        h("th", { class: "number narrow-not" }, "Line"), h("th", {}, "Rule"), h("th", { class: "number" }, "Hits"),
        h("th", { class: "number" }, "Now"), h("th", { class: "narrow-not" }, "Share"), h("th", {}, h("span", { class: "hidden" }, "Change")))),
      body)),
    form, problem);
  document.getElementById("reload-rules").addEventListener("click", () =>
    page.act("The rules were read anew.", () => page.api.change("POST", "api/rules/reload", {})));

  return () => {
    const all = page.state.rules ?? [];
    section.hidden = all.length === 0;
    document.querySelector('nav a[href="#rules"]').hidden = section.hidden;
    const hits = all.reduce((sum, rule) => sum + rule.hits, 0);
    keyed(
      body,
      all.map((rule, index) => ({ ...rule, index })),
      ruleId,
      (rule) =>
        h("tr", { "data-rule": rule.rule },
          h("td", { class: "number quiet narrow-not" }), h("td", { class: "mono" }, rule.rule),
          h("td", { class: "number" }), h("td", { class: "number" }), h("td", { class: "narrow-not" }, bar(isDrop(rule) ? "drop" : "calm")),
          h("td", { class: "number" }, rule.fixed ? null : sureButton("Remove", () => remove(rule), {
            "aria-label": `Remove ${rule.rule}`,
          }))),
      (row, rule) => {
        text(row.cells[0], rule.line > 0 ? rule.line : "–");
        text(row.cells[2], count(rule.hits));
        text(row.cells[3], packetRate(page.timeline.rate(`rule.${ruleId(rule)}`)));
        const share = hits > 0 ? rule.hits / hits : 0;
        setBar(row.cells[4].firstChild, share);
        row.cells[4].title = percent(share);
      },
    );
    if (document.activeElement !== place) {
      const chosen = place.value;
      const options = [
        { value: "", label: "after the others" },
        ...all.flatMap((rule, index) => (rule.fixed ? [] : [{ value: index, label: `before: ${rule.rule}` }])),
      ];
      keyed(place, options, ({ value, label }) => `${value} ${label}`, ({ value, label }) => h("option", { value }, label));
      place.value = [...place.options].some((option) => option.value === chosen) ? chosen : "";
    }
  };

  async function remove(rule) {
    const query = new URLSearchParams({ index: rule.index, rule: rule.rule });
    await page.act(`Removed: ${rule.rule}`, () => page.api.change("DELETE", `api/rules?${query}`));
  }
}
