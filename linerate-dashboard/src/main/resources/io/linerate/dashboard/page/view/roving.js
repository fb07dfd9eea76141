import { attribute } from "./dom.js";

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/**
 * Makes many controls one stop of the tabulator: arrows go from one to what is nearest in their direction, Home and
 * End to the first and the last. Returns what is to be called when there may be other controls.
 *
 * @param selector of the controls in the group; what is named first is where the tabulator comes to first
 * @param beyond asked when there is nothing in a direction: whether there is now
 */
export function roving(group, selector, beyond = () => false) {
  let current = null;
  const all = () => [...group.querySelectorAll(selector)].filter((one) => !one.disabled && one.getClientRects().length > 0);
  const stop = (one) => {
    current = one;
    group.querySelectorAll(selector).forEach((other) => attribute(other, "tabindex", other === one ? 0 : -1));
  };
  const update = () => {
    if (!current?.isConnected || current.getClientRects().length === 0) {
      stop(all().find((one) => one.matches(selector.split(",")[0])) ?? all()[0] ?? null);
    } else {
      stop(current);
    }
  };
  group.addEventListener("focusin", (event) => {
    const one = event.target.closest(selector);
    if (one && one !== current && group.contains(one)) {
      stop(one);
    }
  });
  group.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.matches(selector)) {
      return;
    }
    const next = target(event.key, event.target, all, beyond);
    if (next) {
      event.preventDefault();
      event.stopPropagation();
      stop(next);
      next.focus();
    }
  });
  return update;
}

function target(key, from, all, beyond) {
  if (key === "Home" || key === "End") {
    return all().at(key === "Home" ? 0 : -1);
  }
  const direction = ARROWS[key];
  if (!direction) {
    return null;
  }
  return nearest(from, direction, all()) ?? (beyond(from, key) ? nearest(from, direction, all()) : null);
}

function nearest(from, [dx, dy], all) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const other of all) {
    const [u, v] = middle(other);
    const ahead = (u - x) * dx + (v - y) * dy;
    const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (other !== from && ahead > 4 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = other;
    }
  }
  return best;
}

/** Of what is to be seen of it: a drawing's node has a larger area for the pointer. */
function middle(node) {
  const box = (node.querySelector?.(".box, text") ?? node).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
