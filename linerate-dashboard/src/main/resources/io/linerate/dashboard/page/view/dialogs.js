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

/** Asks where a queue is to go: a function of its words and the workers, whose answer is one of them, or null. */
export function moveDialog() {
  const dialog = document.getElementById("move-dialog");
  const select = document.getElementById("move-worker");
  document.getElementById("move-cancel").addEventListener("click", () => dialog.close());
  return (words, workers) =>
    new Promise((resolve) => {
      text(document.getElementById("move-queue"), words);
      select.replaceChildren(...workers.map((worker) => h("option", { value: worker }, `Worker ${worker}`)));
      dialog.returnValue = "";
      dialog.showModal();
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "move" ? Number(select.value) : null), { once: true });
    });
}

/** The keys, and what they do: [key, words, action]. Letters only, and not while one types. */
export function keys(bindings) {
  const dialog = document.getElementById("help-dialog");
  document.getElementById("key-list").append(
    ...bindings.concat([["+ − 0 ← →", "on a chart: zoom, all of it, earlier, later"], ["+ − 0", "in the graph: zoom, all of it"], ["↑ ↓ ← →", "in the graph, tables and lists: the next one"]])
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
