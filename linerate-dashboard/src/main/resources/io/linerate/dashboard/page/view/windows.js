import { bytes, clock, count, counted } from "../model/format.js";
import { h, keyed, text } from "./dom.js";

/** A table of rows: a cell of each column. Numbers are those columns whose name begins with "#". */
function table(host, label, columns) {
  const body = h("tbody");
  const kind = (name) => (name.startsWith("#") ? "number" : "");
  host.append(h("table", { "aria-label": label },
    h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { class: kind(name) }, name.replace("#", ""))))),
    body));
  return (rows) => {
    host.closest(".card").hidden = rows.length === 0;
    keyed(body, rows, ([key]) => key,
      () => h("tr", {}, ...columns.map((name) => h("td", { class: kind(name) || "mono" }))),
      (node, [, ...cells]) => cells.forEach((cell, i) => text(node.cells[i], cell)));
  };
}

const end = (address, port) => (port == null ? address : `${address.includes(":") ? `[${address}]` : address}:${port}`);
const rank = ({ rankByBytes, rankByPackets }) => [rankByBytes ?? "", rankByPackets ?? ""];

function flow(row) {
  const name = `${row.protocol} ${end(row.source, row.sourcePort)} → ${end(row.destination, row.destinationPort)}`;
  return [name, ...rank(row), name, count(row.packets), bytes(row.bytes), count(row.packetsBack), bytes(row.bytesBack)];
}

function host(row) {
  return [row.host, ...rank(row), row.host, count(row.packets), bytes(row.bytes), count(row.packetsBack), bytes(row.bytesBack)];
}

function alarm(row) {
  const at = clock(row.windowStartMs);
  const cells = {
    port_scan: () => ["Port scan", row.source, row.destination, counted(row.ports, "port")],
    host_scan: () => ["Host scan", row.source, "", `${counted(row.hosts, "host")}, ${counted(row.ports, "port")}`],
    syn_flood: () => [
      "SYN flood", `${count(row.sources)} sources`, end(row.destination, row.destinationPort), `${counted(row.syns, "SYN")} not completed`,
    ],
  }[row.kind]();
  return [[row.windowStartMs, ...cells].join(), at, ...cells];
}

/** Of a program that tells of traffic in windows of time: the last ones, their scans and floods, and the largest of the last. */
export function windows(page) {
  const section = document.getElementById("windows");
  const link = document.querySelector('nav a[href="#windows"]');
  const drawLast = table(document.getElementById("window-list"), "Windows",
    ["Began", "#Packets", "#Bytes", "#Flows", "#New TCP", "#New UDP", "#Names", "#Dropped", "#Scans", "#Floods"]);
  const drawAlarms = table(document.getElementById("window-alarms"), "Scans and floods", ["Began", "What", "From", "To", "How many"]);
  const traffic = ["#By bytes", "#By packets"];
  const drawFlows = table(document.getElementById("window-flows"), "Largest flows",
    [...traffic, "Flow", "#Packets", "#Bytes", "#Back", "#Bytes back"]);
  const drawHosts = table(document.getElementById("window-hosts"), "Largest hosts",
    [...traffic, "Host", "#Sent", "#Bytes", "#Received", "#Bytes"]);
  const drawNames = table(document.getElementById("window-names"), "Names", ["Name", "#Questions"]);

  return () => {
    const { windows: last, windowAlarms: alarms, windowRows: rows } = page.state;
    section.hidden = last === undefined;
    link.hidden = section.hidden;
    if (section.hidden) {
      return;
    }
    drawLast(last.map((one) => [
      one.startMs, clock(one.startMs), count(one.packets), bytes(one.bytes), count(one.flows), count(one.tcpConnections),
      count(one.udpConnections), count(one.questions), count(one.dropped), count(one.scans), count(one.floods),
    ]));
    const of = (wanted) => rows.filter(({ kind }) => kind === wanted);
    drawAlarms(alarms.map(alarm));
    drawFlows(of("flow").map(flow));
    drawHosts(of("host").map(host));
    drawNames(of("name").map(({ name, questions }) => [name, name, count(questions)]));
  };
}
