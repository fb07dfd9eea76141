import { h } from "./dom.js";
import { roving } from "./roving.js";

/** Buttons of which one is pressed. Returns what presses another. */
export function choice(host, options, first, chosen) {
  const buttons = new Map(
    options.map(([value, label]) => [
      value,
      h("button", { type: "button", "data-value": value, onclick: () => (press(value), chosen(value)) }, label),
    ]),
  );
  const keepStop = roving(host, "button");
  const press = (value) => {
    buttons.forEach((button, key) => button.setAttribute("aria-pressed", String(key === value)));
    keepStop();
  };
  host.append(...buttons.values());
  press(first);
  return press;
}
