/**
 * A value after a change of it, as the program says it: of an object or an array that is one still, an object of the
 * members that are others, null for those that are gone; otherwise the new value. The one before stays as it is.
 */
export function changed(before, change) {
  if (!isObject(change) || before === null || typeof before !== "object") {
    return change;
  }
  const after = Array.isArray(before) ? [...before] : { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (value === null && !Array.isArray(after)) {
      delete after[name];
    } else {
      after[name] = changed(before[name] ?? null, value);
    }
  }
  return after;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
