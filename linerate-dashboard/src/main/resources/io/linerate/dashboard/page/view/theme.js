/** Light, dark, or as the system is; remembered by the browser. */
const STORE = "linerate.theme";
const THEMES = ["system", "light", "dark"];

const root = document.documentElement;
const current = () => localStorage.getItem(STORE) ?? "system";

function apply(theme) {
  if (theme === "system") {
    delete root.dataset.theme;
  } else {
    root.dataset.theme = theme;
  }
}

apply(current());

/** Goes on to the next, and returns its name. */
export function nextTheme() {
  const theme = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length];
  localStorage.setItem(STORE, theme);
  apply(theme);
  return theme;
}

/** Says when the system goes from light to dark or back. */
export function watchTheme(changed) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}
