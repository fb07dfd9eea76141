import { h } from "./dom.js";

const TABLE = /^\s*<pre>|<\/pre>\s*$/;

/**
 * A manual page: sentences, and what is between <pre> and </pre> as it stands. The other marks of a
 * class comment are taken off.
 */
export function manual(doc) {
  const host = h("div", { class: "manual" });
  for (const piece of doc.split(/(<pre>[\s\S]*?<\/pre>)/)) {
    if (TABLE.test(piece)) {
      host.append(h("pre", {}, plain(piece.replace(/<\/?pre>/g, "")).replace(/^\n+|\s+$/g, "")));
    } else {
      piece.split(/<p>|\n\s*\n/).map((words) => plain(words).trim()).filter(Boolean)
        .forEach((words) => host.append(paragraph(words)));
    }
  }
  return host;
}

/** Lines that are indented or aligned are a table; the rest flows. */
function paragraph(words) {
  return /\n {2,}|\S {3,}\S/.test(words) ? h("pre", {}, words) : h("p", {}, words.replace(/\s+/g, " "));
}

function plain(words) {
  return words
    .replace(/\{@\w+\s*([^}]*)\}/g, "$1")
    .replace(/<\/?[a-z][^>]*>/gi, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
