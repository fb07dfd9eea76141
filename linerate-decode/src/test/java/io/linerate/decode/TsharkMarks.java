package io.linerate.decode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which packets of a capture tshark marks as malformed, and at which of their protocols. */
final class TsharkMarks {
  private static final String MALFORMED = "_ws.malformed";
  private static final String EXCEPTION = "[Malformed Packet: ";
  private static final int NOWHERE = -1;

  /** Filter names of protocols by the short names that are written into marks. */
  private final Map<String, String> names = new HashMap<>();

  /**
   * A mark.
   *
   * @param packet number of it, from 0 on
   * @param within names of the protocols that it stands in, the innermost first
   * @param positions where these begin in the packet, or below 0 if that is not known
   * @param position where what is malformed is, or below 0 if that is not known
   * @param why what tshark says of it
   * @param protocols all that the packet has
   */
  record Malformed(
      int packet,
      List<String> within,
      List<Integer> positions,
      int position,
      String why,
      String protocols) {}

  private record Element(String name, int position) {}

  TsharkMarks() {
    for (String line : TsharkComparison.run(List.of("tshark", "-G", "protocols"))) {
      String[] parts = line.split("\t", -1);
      names.putIfAbsent(parts[1], parts[2]);
    }
  }

  /** Asks tshark. */
  List<Malformed> of(String file, List<String> options) {
    List<String> command =
        new ArrayList<>(List.of("tshark", "-n", "-r", file, "-T", "pdml", "-Y", MALFORMED));
    command.addAll(options);
    Reader reader = new Reader();
    TsharkComparison.run(command).forEach(line -> reader.line(line.strip()));
    return reader.all;
  }

  /** Goes through the lines of PDML: an element of it is in one. */
  private final class Reader {
    private final List<Malformed> all = new ArrayList<>();
    private final List<Element> open = new ArrayList<>();
    private final List<Element> seen = new ArrayList<>();
    private int packet;
    private String protocols = "";
    private String message = "";

    private void line(String line) {
      if (line.startsWith("<packet>")) {
        open.clear();
        seen.clear();
      } else if (line.startsWith("<field name=\"num\"")) {
        packet = Integer.parseInt(value(line, "show")) - 1;
      } else if (line.startsWith("<field name=\"frame.protocols\"")) {
        protocols = value(line, "show");
      } else if (line.startsWith("<field name=\"_ws.expert.message\"")) {
        message = value(line, "show");
      } else if (line.startsWith("<proto ")) {
        proto(line);
      } else if (line.startsWith("</proto>") && !open.isEmpty()) {
        open.removeLast();
      }
    }

    private void proto(String line) {
      String name = value(line, "name");
      String shown = value(line, "showname");
      if (name.equals(MALFORMED) && shown.startsWith(EXCEPTION)) {
        exception(shown);
      } else if (name.equals(MALFORMED) && open.stream().noneMatch(TsharkMarks::isMark)) {
        // In none if it is an error of a dissector's own, which tshark tells of by such a mark,
        // too.
        List<Element> within =
            open.isEmpty() ? List.of(new Element(shown, NOWHERE)) : open.reversed();
        all.add(
            new Malformed(
                packet,
                within.stream().map(Element::name).toList(),
                within.stream().map(Element::position).toList(),
                position(line),
                message,
                protocols));
      }
      Element element = new Element(name, position(line));
      seen.add(element);
      if (!line.endsWith("/>")) {
        open.add(element);
      }
    }

    /** A dissector has read behind the end: the mark names it, and stands elsewhere. */
    private void exception(String shown) {
      String title =
          shown.substring(EXCEPTION.length(), shown.lastIndexOf(']')).replaceFirst(": .*", "");
      String name = names.getOrDefault(title, title);
      int position = NOWHERE;
      long found = 0;
      for (Element element : seen) {
        if (element.name.equals(name)) {
          found++;
          position = element.position;
        }
      }
      // It may not have come as far as to say that it is there: then it is the last that was
      // called.
      boolean isSaid = found >= count(name);
      all.add(
          new Malformed(
              packet,
              List.of(name),
              List.of(isSaid ? position : NOWHERE),
              NOWHERE,
              shown,
              protocols));
    }

    private long count(String name) {
      return List.of(protocols.split(":", -1)).stream().filter(name::equals).count();
    }
  }

  private static int position(String line) {
    String value = value(line, "pos");
    return value.isEmpty() ? NOWHERE : Integer.parseInt(value);
  }

  private static boolean isMark(Element element) {
    return element.name.equals(MALFORMED);
  }

  private static String value(String line, String attribute) {
    int from = line.indexOf(' ' + attribute + "=\"");
    if (from < 0) {
      return "";
    }
    int start = from + attribute.length() + 3;
    String raw = line.substring(start, line.indexOf('"', start));
    return raw.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
  }
}
