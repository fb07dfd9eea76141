import { attribute, h, text } from "./dom.js";

/** What every element has: the counters say it already. */
const COMMON = new Set(["packets", "bytes", "packets_out", "bytes_out", "drops", "made", "held", "no_buffers"]);

/** An element's values: its own are read once, and again when asked; the common ones when they are opened. */
export function handlers(page, element) {
  const list = (some) => h("ul", { class: "handlers" }, ...some.map((handler) => line(page, element, handler)));
  const isCommon = (handler) => COMMON.has(handler.name) && !handler.writable;
  const own = element.handlers.filter((handler) => !isCommon(handler));
  const common = element.handlers.filter(isCommon);
  const more = h("details", {}, h("summary", {}, "What every element has"));
  more.addEventListener("toggle", () => more.append(list(common)), { once: true });
  return h("div", {}, own.length > 0 && list(own), common.length > 0 && more);
}

function line(page, element, handler) {
  const path = `api/handlers/${encodeURIComponent(element.name)}/${encodeURIComponent(handler.name)}`;
  const output = h("output", { "aria-label": `Value of ${handler.name}` });
  const read = async () => {
    try {
      text(output, show((await page.api.get(page.path(path))).value));
    } catch (e) {
      text(output, e.message);
    }
    // What is longer than its place is moved by keys.
    attribute(output, "tabindex", output.scrollHeight > output.clientHeight ? 0 : null);
  };
  const item = h("li", { "data-handler": handler.name },
    h("div", { class: "head" },
      h("span", {}, h("span", { class: "mono" }, handler.name), h("span", { class: "quiet" }, ` ${handler.type}`)),
      handler.readable && h("button", { type: "button", onclick: read, "aria-label": `Read ${handler.name}` }, "Read")),
    handler.readable && output,
    handler.writable && writer(page, element, handler, path, read));
  if (handler.readable) {
    read();
  }
  return item;
}

function writer(page, element, handler, path, read) {
  const input = h("input", { "aria-label": `New value of ${handler.name}`, placeholder: "new value", autocomplete: "off" });
  return h("form", {
    class: "line",
    onsubmit: async (event) => {
      event.preventDefault();
      const isDone = await page.act(`${element.name}.${handler.name} was written.`, () =>
        page.api.change("PUT", path, { value: input.value }));
      if (isDone) {
        input.value = "";
        read();
      }
    },
  }, input, h("button", { type: "submit" }, "Write"));
}

const show = (value) =>
  value === null || value === undefined ? "–"
  : Array.isArray(value) ? value.join(" ")
  : typeof value === "object" ? JSON.stringify(value)
  : String(value);
