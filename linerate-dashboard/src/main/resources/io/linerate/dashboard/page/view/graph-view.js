const NARROW_PX = 700;
const VIEW = "view";

/** Which of three is shown of the graph: the drawing, a table of the elements, or what each worker does. */
export function graphView(page) {
  const byId = (id) => document.getElementById(id);
  const parts = { graph: byId("graph-drawing"), table: byId("graph-table"), workers: byId("graph-workers") };
  const buttons = { table: byId("graph-as-table"), workers: byId("graph-by-worker") };
  const first = innerWidth < NARROW_PX ? "table" : "graph";

  const shown = () => {
    const hasElements = (page.state?.elements ?? []).length > 0;
    const wanted = page.address.get(VIEW) ?? first;
    return { hasElements, name: hasElements && wanted in parts ? wanted : "graph" };
  };
  const show = () => {
    const { hasElements, name } = shown();
    Object.entries(parts).forEach(([part, node]) => (node.hidden = part !== name));
    Object.entries(buttons).forEach(([part, button]) => {
      button.hidden = !hasElements;
      button.setAttribute("aria-pressed", String(part === name));
    });
    byId("graph-tools").hidden = name !== "graph";
  };
  Object.entries(buttons).forEach(([part, button]) =>
    button.addEventListener("click", () => {
      page.address.set(VIEW, shown().name === part ? "graph" : part);
      show();
      page.redraw();
    }));
  show();
  return show;
}
