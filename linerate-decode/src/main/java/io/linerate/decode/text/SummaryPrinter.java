package io.linerate.decode.text;

import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Frame;
import io.linerate.decode.Layer;
import io.linerate.decode.Mark;
import io.linerate.decode.protocol.IcmpProtocol;
import io.linerate.decode.protocol.Icmpv6Protocol;
import java.util.List;

/**
 * A line a packet: number, seconds since the first packet, the addresses of the innermost layer
 * that has some, with ports, the protocols, the length, and what the innermost protocol says that
 * has something to say. What an error of ICMP quotes is left out.
 */
public final class SummaryPrinter implements PacketPrinter {
  private static final int NUMBER_COLUMNS = 6;
  private static final long NS_PER_US = 1_000;
  private static final long US_PER_SECOND = 1_000_000;

  private final SaidFields said = new SaidFields();

  @Override
  public void print(Decoder decoder, TextBuffer out) {
    Frame frame = decoder.frame();
    int before = out.length();
    out.decimal(frame.number());
    while (out.length() - before < NUMBER_COLUMNS) {
      out.add(' ');
    }
    long us = frame.relativeNs() / NS_PER_US;
    out.add(' ').decimal(us / US_PER_SECOND).add('.').decimal(us % US_PER_SECOND, 6).add(' ');
    int count = unquoted(decoder);
    addresses(decoder, count, out);
    for (int i = 0; i < decoder.count(); i++) {
      out.add(i == 0 ? "" : ":").add(decoder.at(i).name());
    }
    out.add(' ').decimal(frame.lengthBytes());
    information(decoder, count, out);
    Mark mark = decoder.mark();
    if (mark != Mark.SOUND) {
      out.add(mark == Mark.CUT ? " [cut]" : " [malformed]");
    }
    out.add('\n');
  }

  /** Layers up to one of ICMP. */
  private static int unquoted(Decoder decoder) {
    for (int i = 0; i < decoder.count(); i++) {
      Layer layer = decoder.at(i);
      if (layer.is(IcmpProtocol.ICMP) || layer.is(Icmpv6Protocol.ICMPV6)) {
        return i + 1;
      }
    }
    return decoder.count();
  }

  private static void addresses(Decoder decoder, int count, TextBuffer out) {
    for (int i = count - 1; i >= 0; i--) {
      Layer layer = decoder.at(i);
      List<Field> addresses = layer.protocol().fields().addresses();
      if (!addresses.isEmpty() && addresses.stream().allMatch(layer::has)) {
        int carried = withPorts(decoder, i + 1, count);
        address(layer, addresses.getFirst(), decoder, carried, 0, out);
        out.add(" > ");
        address(layer, addresses.getLast(), decoder, carried, 1, out);
        out.add(' ');
        return;
      }
    }
  }

  /** The first layer from one on that has ports; none: how many there are. */
  private static int withPorts(Decoder decoder, int from, int count) {
    int i = from;
    while (i < count && !hasPorts(decoder.at(i))) {
      i++;
    }
    return i < count ? i : decoder.count();
  }

  private static boolean hasPorts(Layer layer) {
    List<Field> ports = ports(layer);
    return !ports.isEmpty() && ports.stream().allMatch(layer::has);
  }

  private static List<Field> ports(Layer layer) {
    for (Fields.Alias alias : layer.protocol().fields().aliases()) {
      if (alias.name().endsWith(".port") && alias.fields().getFirst().isFixed()) {
        return alias.fields();
      }
    }
    return List.of();
  }

  private static void address(
      Layer layer, Field field, Decoder decoder, int carried, int port, TextBuffer out) {
    boolean hasPort = carried < decoder.count();
    boolean isBracketed = hasPort && !field.kind().isNumber();
    out.add(isBracketed ? "[" : "");
    if (field.kind().isNumber()) {
      FieldText.add(out, field, layer.value(field));
    } else {
      int at = layer.offset() + field.byteOffset();
      FieldText.add(out, field, layer.bytes(), at, field.bytes());
    }
    out.add(isBracketed ? "]" : "");
    if (hasPort) {
      Layer ports = decoder.at(carried);
      out.add(':').decimal(ports.value(ports(ports).get(port)));
    }
  }

  private void information(Decoder decoder, int count, TextBuffer out) {
    int before = out.length();
    for (int i = count - 1; i >= 0 && out.length() == before; i--) {
      int first = firstOf(decoder, i);
      said.begin(decoder.at(i).protocol().fields().summary());
      for (int at = first; at <= i && !said.isFull(); at++) {
        decoder.dissect(decoder.at(at), said);
      }
      said.addTo(out);
      i = first;
    }
  }

  /** The first of several layers of one protocol that follow each other. */
  private static int firstOf(Decoder decoder, int last) {
    int first = last;
    int number = decoder.at(last).protocolNumber();
    while (first > 0 && decoder.at(first - 1).protocolNumber() == number) {
      first--;
    }
    return first;
  }
}
