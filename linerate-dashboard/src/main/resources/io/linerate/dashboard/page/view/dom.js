/** Making and changing what the browser shows. Text is always text: nothing is parsed as HTML. */

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: h("p", {class: "note", onclick: f}, "text", child, …). */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), value);
    } else if (value !== false && value != null) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child != null && child !== false));
  return node;
}

/** Writes a text if it is another one, so that a selection in it stays. */
export function text(node, value) {
  const wanted = String(value);
  if (node.textContent !== wanted) {
    node.textContent = wanted;
  }
  return node;
}

/** Sets an attribute if it is another one; null takes it away. */
export function attribute(node, name, value) {
  if (value == null || value === false) {
    node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}

const nodesOf = new WeakMap();

/**
 * Makes the children of a node those of the items. A child stays the same node while its item's key
 * is there, so that it keeps focus, selection and what was typed.
 *
 * @param make an item's node
 * @param update writes the item's numbers into its node
 */
export function keyed(parent, items, keyOf, make, update = () => {}) {
  const before = nodesOf.get(parent) ?? new Map();
  const after = new Map();
  for (const [i, item] of items.entries()) {
    let key = String(keyOf(item, i));
    while (after.has(key)) {
      key += "'";
    }
    after.set(key, before.get(key) ?? null);
  }
  // First: a node that is only moved since others before it go would lose the focus.
  before.forEach((node, key) => after.has(key) || node.remove());
  let last = null;
  [...after.keys()].forEach((key, i) => {
    const item = items[i];
    const node = after.get(key) ?? make(item, i);
    after.set(key, node);
    const next = last ? last.nextSibling : parent.firstChild;
    if (next !== node) {
      parent.insertBefore(node, next);
    }
    update(node, item, i);
    last = node;
  });
  nodesOf.set(parent, after);
}

/** The child that has this data-part. */
export function part(node, name) {
  return node.querySelector(`[data-part="${name}"]`);
}

/** A bar whose length is a part of one. */
export function bar(kind = "") {
  return h("span", { class: `bar ${kind}`, "aria-hidden": "true" }, h("span"));
}

export function setBar(node, share) {
  const width = `${(100 * Math.min(1, Math.max(0, share || 0))).toFixed(1)}%`;
  if (node.firstChild.style.width !== width) {
    node.firstChild.style.width = width;
  }
}

/** Saves something as a file. */
export function save(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
