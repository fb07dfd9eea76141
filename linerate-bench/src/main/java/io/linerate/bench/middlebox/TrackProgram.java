package io.linerate.bench.middlebox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program under measurement: {@code linerate firewall}, that lets another port bring frames
 * beforehand. Arguments: the rules, the file of those frames or "", connections at most, and those
 * of {@link BoxProgram}.
 */
public final class TrackProgram {
  private TrackProgram() {}

  public static void main(String[] arguments) throws IOException {
    List<String> rest = List.of(arguments).subList(3, arguments.length);
    String ports = "ports=in=" + rest.get(0) + "; out=" + rest.get(1);
    if (!arguments[1].isEmpty()) {
      ports += "; setup=dpdk:net_pcap2,rx_pcap=" + arguments[1] + "; sink=pcap:tx=/dev/null";
    }
    Path file = Files.createTempFile("firewall", ".properties");
    file.toFile().deleteOnExit();
    List<String> words = new ArrayList<>(List.of("firewall", file.toString(), "--json"));
    for (String setting :
        List.of(
            ports,
            "rules=" + arguments[0],
            "connections=" + arguments[2],
            "rxburst=" + rest.get(2),
            "txburst=" + rest.get(2),
            "freeburst=" + rest.get(2),
            "cpus=" + rest.get(3),
            "buffers=" + rest.get(4),
            "memory=" + rest.get(5),
            "idle=busy-spin")) {
      words.addAll(List.of("--set", setting));
    }
    io.linerate.apps.Main.main(words.toArray(String[]::new));
  }
}
