import { clock } from "../model/format.js";
import { h, keyed } from "./dom.js";
import { roving } from "./roving.js";

const LEVELS = ["ERROR", "WARNING", "INFO", "DEBUG"];
const KEPT = 500;
const NEAR_END_PX = 24;

/** What the program logs: by level and by words; and how much it logs. */
export function log(page) {
  const list = h("ol", { class: "lines", tabindex: 0, role: "log", "aria-live": "off", "aria-label": "The program's log" });
  const none = h("p", { class: "quiet" }, "The program has logged nothing.");
  const hidden = new Set();
  let words = (page.address.get("log") ?? "").toLowerCase();
  let entries = [];
  const chips = LEVELS.map((level) =>
    h("button", {
      type: "button",
      "aria-pressed": "true",
      onclick: (event) => {
        const isShown = hidden.delete(level) || !hidden.add(level);
        event.target.setAttribute("aria-pressed", String(isShown));
        draw();
      },
    }, level.toLowerCase()));
  const search = h("input", {
    type: "search", id: "log-search", placeholder: "filter", "aria-label": "Filter the log", value: page.address.get("log") ?? "",
    oninput: () => {
      words = search.value.toLowerCase();
      page.address.set("log", search.value);
      draw();
    },
  });
  const level = h("select", {
    "aria-label": "What the program logs",
    onchange: () =>
      page.act(`The program logs ${level.value} and worse now.`, () =>
        page.api.change("PUT", "api/loglevel", { level: level.value })),
  }, ...LEVELS.map((name) => h("option", { value: name }, `log ${name.toLowerCase()}`)));
  document.getElementById("log-tools").append(...chips, search, level);
  document.getElementById("log-lines").append(none, list);

  const draw = () => {
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
    const shown = entries.filter(
      (entry) =>
        !hidden.has(named(entry.level)) &&
        (words === "" || `${entry.logger} ${entry.text}`.toLowerCase().includes(words)));
    none.hidden = entries.length > 0;
    list.hidden = entries.length === 0;
    keyed(list, shown, (entry) => entry.key, (entry) =>
      h("li", { class: named(entry.level) },
        h("time", {}, clock(entry.timeMs)),
        h("span", { class: "level" }, named(entry.level).toLowerCase()),
        h("span", {}, h("span", { class: "logger" }, `${short(entry.logger)} `), entry.text)));
    if (isAtEnd) {
      list.scrollTop = list.scrollHeight;
    }
  };

  const keepStop = roving(document.getElementById("log-tools"), "button");

  return () => {
    const known = new Set(entries.map(({ key }) => key));
    const news = (page.state.log ?? [])
      .map((entry) => ({ ...entry, key: entry.id ?? `${entry.timeMs} ${entry.logger} ${entry.text}` }))
      .filter(({ key }) => !known.has(key));
    keepStop();
    level.hidden = !page.state.logLevel;
    if (page.state.logLevel && document.activeElement !== level) {
      level.value = named(page.state.logLevel);
    }
    if (news.length > 0 || entries.length === 0) {
      entries = entries.concat(news).slice(-KEPT);
      draw();
    }
  };
}

/** Levels have several names; finer ones than DEBUG are DEBUG here. */
function named(level) {
  const known = { SEVERE: "ERROR", WARN: "WARNING", TRACE: "DEBUG", FINE: "DEBUG", ALL: "DEBUG" };
  const name = known[level] ?? level;
  return LEVELS.includes(name) ? name : "INFO";
}

const short = (logger) => (logger ?? "").split(".").at(-1);
