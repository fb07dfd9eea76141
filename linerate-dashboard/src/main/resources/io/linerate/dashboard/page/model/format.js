/** Numbers as people read them: three digits that count, units by SI, always a full stop. */

const PREFIXES = ["", "k", "M", "G", "T", "P"];
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 1234567 as "1,234,567"; what is not there as "–". */
export function count(value) {
  return value == null ? "–" : whole.format(value);
}

/** 1 as "1 packet", 1234567 as "1,234,567 packets". */
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** 1234567 as "1.23 M" and the unit. */
export function si(value, unit) {
  if (value == null || !Number.isFinite(value)) {
    return "–";
  }
  let scaled = Math.abs(value);
  let prefix = 0;
  while (scaled >= 999.5 && prefix < PREFIXES.length - 1) {
    scaled /= 1000;
    prefix++;
  }
  const sign = value < 0 ? "−" : "";
  const text = `${sign}${three(scaled)} ${PREFIXES[prefix]}${unit}`.trim();
  return prefix === 0 ? trim(text) : text;
}

function three(value) {
  if (value === 0) {
    return "0";
  }
  if (value >= 99.95) {
    return value.toFixed(0);
  }
  if (value >= 9.995) {
    return value.toFixed(1);
  }
  return value.toFixed(value < 0.1 ? 3 : 2);
}

/** A number without its fraction when that is nothing: 7 pps, not 7.00 pps. */
export const trim = (text) => text.replace(/\.0+(?= |$)/, "");

/** Packets per second. */
export const packetRate = (perSecond) => si(perSecond, "pps");

/** Tokens per second. */
export const tokenRate = (perSecond) => si(perSecond, "tokens/s");

/** Bits per second, from bytes per second. */
export const bitRate = (bytesPerSecond) =>
  si(bytesPerSecond == null ? null : 8 * bytesPerSecond, "bit/s");

/** Bytes, by powers of 1024. */
export function bytes(value) {
  if (value == null || value < 0) {
    return "–";
  }
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let scaled = value;
  let unit = 0;
  while (scaled >= 1023.5 && unit < units.length - 1) {
    scaled /= 1024;
    unit++;
  }
  return unit === 0 ? trim(`${three(scaled)} B`) : `${three(scaled)} ${units[unit]}`;
}

/** A span of time given in ns. */
export function time(ns) {
  if (ns == null) {
    return "–";
  }
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  const [size, name] = units.find(([size]) => ns >= 0.9995 * size) ?? [1, "ns"];
  return `${three(ns / size)} ${name}`;
}

/** A part of one as per cent. */
export function percent(part) {
  if (part == null || !Number.isFinite(part)) {
    return "–";
  }
  const value = 100 * part;
  const digits = value >= 9.95 || value === 0 ? 0 : value >= 0.0995 ? 1 : value >= 0.00995 ? 2 : 4;
  return `${value.toFixed(digits)} %`;
}

/** A name of so many letters at most: what makes names differ is mostly at their start and end. */
export function cut(name, letters, tailPart = 0.4) {
  if (name.length <= letters) {
    return name;
  }
  const tail = Math.max(0, Math.floor((letters - 1) * tailPart));
  return `${name.slice(0, Math.max(0, letters - 1 - tail))}…${tail > 0 ? name.slice(-tail) : ""}`;
}

/** The same with its longest words shortened from behind: "customer-12-step-3" as "cus-12-st-3". */
function squeezed(name, letters) {
  const words = name.match(/[A-Za-z]+|[^A-Za-z]+/g) ?? [];
  const length = () => words.reduce((sum, word) => sum + word.length, 0);
  while (length() > letters) {
    const longest = words.reduce((best, word, i) => (/[A-Za-z]/.test(word) && word.length > words[best].length ? i : best), 0);
    if (words[longest].length < 2) {
      break;
    }
    words[longest] = words[longest].slice(0, -1);
  }
  return cut(words.join(""), letters);
}

/** How such names are made as short as that, so that as many of them as can be differ: in the middle, if that does. */
export function bestCut(names, letters) {
  const ways = [cut, (name, most) => cut(name, most, 0), (name, most) => cut(name, most, 0.75), squeezed];
  const different = (way) => new Set(names.map((name) => way(name, letters))).size;
  return ways.reduce((best, way) => (different(way) > different(best) ? way : best));
}

/** The time of day, with seconds. */
export function clock(ms) {
  const time = new Date(ms);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/** How long something has run: "3 d 4 h", "2 min 5 s". */
export function age(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  const parts = [[86_400, "d"], [3_600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => s >= size);
  if (first < 0) {
    return "0 s";
  }
  let rest = s;
  return parts
    .slice(first, first + 2)
    .map(([size, name]) => {
      const n = Math.floor(rest / size);
      rest -= n * size;
      return n > 0 || name === parts[first][1] ? `${n} ${name}` : "";
    })
    .join(" ")
    .trim();
}
