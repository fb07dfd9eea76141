import { attribute, h } from "./dom.js";
import { roving } from "./roving.js";

/** What is done to the drawing as a whole: zoom, lanes, its place. */
export function graphTools(page, view) {
  const host = document.getElementById("graph-tools");
  const card = document.getElementById("graph");
  const button = (id, label, title, onclick) => h("button", { type: "button", id, title, "aria-label": title, onclick }, label);
  const lanes = button("graph-lanes", "Fold lanes", "Fold equal lanes into one", () => page.foldLanes());
  const fit = button("graph-fit", "Fit", "Show all of the graph (0)", () => view.fit());
  const wide = button("graph-wide", "Wide", "Use the whole width", () => page.widenGraph(!page.isGraphWide));
  const full = button("graph-full", "Full screen", "Fill the screen", () =>
    document.fullscreenElement ? document.exitFullscreen() : card.requestFullscreen());
  const minus = button("graph-out", "−", "Zoom out (−)", () => view.zoomOut());
  const plus = button("graph-in", "+", "Zoom in (+)", () => view.zoomIn());
  host.append(lanes, minus, fit, plus, wide, full);
  document.addEventListener("fullscreenchange", () => {
    full.setAttribute("aria-pressed", String(document.fullscreenElement === card));
    page.redraw();
  });
  const keepStop = roving(host, "button");

  return () => {
    lanes.hidden = page.openedLanes.size === 0;
    full.hidden = !document.fullscreenEnabled;
    wide.setAttribute("aria-pressed", String(page.isGraphWide));
    attribute(fit, "aria-pressed", String(view.isFit));
    keepStop();
  };
}
