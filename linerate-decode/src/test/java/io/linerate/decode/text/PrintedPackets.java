package io.linerate.decode.text;

import io.linerate.decode.Decoder;
import io.linerate.decode.Protocols;
import io.linerate.testkit.LoadedCapture;
import java.util.ArrayList;
import java.util.List;

/** What a printer prints of each packet of a capture. */
final class PrintedPackets {
  private static final String CAPTURES = "src/test/resources/io/linerate/decode/captures/";

  private PrintedPackets() {}

  static List<String> of(PacketPrinter printer, String capture) {
    Decoder decoder = new Decoder(Protocols.standard());
    List<String> texts = new ArrayList<>();
    TextBuffer text = new TextBuffer();
    try (LoadedCapture loaded = LoadedCapture.of("pcap:rx=" + CAPTURES + capture)) {
      loaded.forEach(packet -> {
        decoder.decode(packet);
        printer.print(decoder, text.clear());
        texts.add(text.toString());
      });
    }
    return texts;
  }
}
