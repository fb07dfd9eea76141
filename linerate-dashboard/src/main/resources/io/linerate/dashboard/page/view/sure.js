import { h } from "./dom.js";

const PATIENCE_MS = 4_000;

/** A button for what is not easily undone: it does it at the second press, within a few seconds. */
export function sureButton(label, action, attributes = {}) {
  let timer = 0;
  const calm = () => {
    clearTimeout(timer);
    button.classList.remove("sure");
    button.textContent = label;
  };
  const button = h("button", {
    type: "button",
    class: "danger",
    ...attributes,
    onblur: calm,
    onclick: () => {
      if (button.classList.contains("sure")) {
        calm();
        action();
      } else {
        button.classList.add("sure");
        button.textContent = `${label}: sure?`;
        timer = setTimeout(calm, PATIENCE_MS);
      }
    },
  }, label);
  return button;
}
