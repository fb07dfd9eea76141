import { h, text } from "./dom.js";

/** Asks for the token; its answer is the token, or null. */
export function tokenDialog(api, changed) {
  const dialog = document.getElementById("token-dialog");
  const input = document.getElementById("token-input");
  const button = document.getElementById("token");
  let answer = null;

  const ask = (problem) =>
    new Promise((resolve) => {
      text(document.getElementById("token-problem"), problem);
      input.value = "";
      answer = null;
      dialog.showModal();
      dialog.addEventListener("close", () => resolve(answer), { once: true });
    });
  dialog.querySelector("form").addEventListener("submit", () => {
    answer = input.value.trim() || null;
  });
  document.getElementById("token-cancel").addEventListener("click", () => dialog.close());
  button.addEventListener("click", async () => {
    const token = await ask("");
    if (token) {
      api.token = token;
      changed();
    }
  });
  return ask;
}

/** The keys, and what they do: [key, words, action]. Letters only, and not while one types. */
export function keys(bindings) {
  const dialog = document.getElementById("help-dialog");
  document.getElementById("key-list").append(
    ...bindings.concat([["+ − 0 ← →", "on a chart: zoom, all of it, earlier, later"], ["↑ ↓ ← →", "in the graph: the next element"]])
      .flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key === " " ? "space" : key)), h("dd", {}, words)]));
  document.getElementById("help").addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) {
      return;
    }
    const binding = bindings.find(([key]) => key === event.key);
    if (event.key === "?") {
      event.preventDefault();
      dialog.showModal();
    } else if (binding?.[2]) {
      event.preventDefault();
      binding[2]();
    }
  });
}

const isTyping = (node) => node.matches?.("input, select, textarea") ?? false;
