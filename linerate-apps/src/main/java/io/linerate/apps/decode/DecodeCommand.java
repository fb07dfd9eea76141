package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.PathText;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.FieldSelection;
import io.linerate.decode.Protocols;
import io.linerate.decode.reassembly.StreamSettings;
import io.linerate.decode.text.FieldColumns;
import io.linerate.decode.text.HexPrinter;
import io.linerate.decode.text.JsonPrinter;
import io.linerate.decode.text.PacketPrinter;
import io.linerate.decode.text.SummaryPrinter;
import io.linerate.decode.text.TextPrinter;
import io.linerate.decode.text.TsharkJsonPrinter;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate decode}. */
public final class DecodeCommand implements Command {
  private static final List<String> FORMS =
      List.of("--text", "--summary", "--json", "--tshark-json", "--fields");

  private static final Pattern BINDING =
      Pattern.compile(
          "(?<table>[^=:]+)=(?<number>0x[0-9a-fA-F]{1,8}|0|[1-9][0-9]{0,9}):(?<protocol>[^=:]+)");

  @Override
  public CommandSpec spec() {
    return Options.command(
        "decode",
        """
        Prints what packets say: their layers and fields, as text, columns or JSON.

        Usage: linerate decode SOURCE [--summary|--text|--json|--fields NAMES] [--parquet FILE] [OPTIONS]

        A line a packet, without --text. Fields are as in tshark; numbers count what --filter accepts.

        [SOURCE]  A capture file, - for stdin, or a port such as packet:eth1.
        --summary  A line a packet: addresses, protocols, length and what matters; the default.
        --text  All layers and fields, for people.
        --fields NAMES  Only these, such as ip.src,tcp.dstport or a protocol, tabs between.
        --json  An object a line and packet.
        --tshark-json  An array of packets in the shape of tshark -T json.
        --hex  The bytes of each packet behind it.
        --parquet FILE  Write a row a packet into a Parquet file, a column a field of --fields.
        --bind BINDINGS  What numbers stand for, such as udp.port=8053:dns,tcp.port=81:http.
        --policy SYSTEM  Which of overlapping bytes of TCP count, such as linux, bsd, windows or last.
        --each-alone  Each packet alone: put no messages and datagrams together.
        --packets N  Stop after N packets.
        --list-fields  Print names and meaning of all fields, and end.
        --list-protocols  Print names of all protocols, and end.
        --duration --stats --set --filter --dashboard --dashboard-tls --dashboard-open

        linerate decode examples/captures/mixed.pcapng
        linerate decode traffic.pcap --fields frame.number,ip.src,ip.dst,tcp.dstport
        linerate decode traffic.pcap --parquet packets.parquet
        linerate decode packet:eth1 --json --packets 1000
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Protocols protocols = protocols(options.matchedOptionValue("--bind", ""));
    if (options.matchedOptionValue("--list-fields", false)) {
      ProtocolList.printFields(protocols, console.out());
      return ExitStatus.DONE;
    }
    if (options.matchedOptionValue("--list-protocols", false)) {
      ProtocolList.printProtocols(protocols, console.out());
      return ExitStatus.DONE;
    }
    DecodeSource source = new DecodeSource(options.matchedPositionalValue(0, ""));
    Configuration configuration = source.configuration(options, "decode");
    long packets = Options.number(options, "--packets", 1, Long.MAX_VALUE, 0);
    PacketOutput output = output(options, protocols);
    output.table().ifPresent(table -> source.requireOther(table.path()));
    Decoding decoding =
        new Decoding(
            source,
            protocols,
            output,
            streams(options),
            packets == 0 ? OptionalLong.empty() : OptionalLong.of(packets),
            console);
    return new EngineRun(
            configuration.engine(),
            Options.duration(options).or(configuration::duration),
            Options.stats(options),
            console)
        .dashboard(Options.dashboard(options))
        .run(decoding);
  }

  private static Protocols protocols(String bindings) {
    Protocols protocols = Protocols.standard();
    for (String binding : bindings.isEmpty() ? new String[0] : bindings.split(",", -1)) {
      Matcher parts = BINDING.matcher(binding.strip());
      if (!parts.matches()) {
        throw new ConfigException(
            "wrong binding: --bind %s; write TABLE=NUMBER:PROTOCOL, such as udp.port=8053:dns"
                .formatted(binding));
      }
      try {
        long number = Long.decode(parts.group("number"));
        DispatchKey key = new DispatchTable(parts.group("table")).key(number);
        protocols = protocols.bind(key, parts.group("protocol"));
      } catch (IllegalArgumentException e) {
        throw new ConfigException(
            "wrong binding: --bind %s, %s".formatted(binding, e.getMessage()));
      }
    }
    return protocols;
  }

  private static Optional<StreamSettings> streams(ParseResult options) {
    if (options.matchedOptionValue("--each-alone", false)) {
      return Optional.empty();
    }
    String policy = options.matchedOptionValue("--policy", null);
    return Optional.of(
        policy == null
            ? StreamSettings.DEFAULT
            : StreamSettings.DEFAULT.withPolicy(StreamOptions.policy(policy)));
  }

  /** Of a file the columns are --fields; beside it packets are printed where a form asks for it. */
  private static PacketOutput output(ParseResult options, Protocols protocols) {
    List<String> forms = new ArrayList<>(FORMS.stream().filter(options::hasMatchedOption).toList());
    String file = options.matchedOptionValue("--parquet", null);
    if (file == null) {
      return new PacketOutput(Optional.of(printer(forms, options, protocols)), Optional.empty());
    }
    List<String> names =
        forms.remove("--fields")
            ? fields(protocols, options.matchedOptionValue("--fields", ""))
            : PacketTable.DEFAULT_FIELDS;
    if (forms.isEmpty() && options.hasMatchedOption("--hex")) {
      throw new ConfigException(
          "no bytes are printed where no packets are: --hex with --parquet; add a form, such as --text");
    }
    return new PacketOutput(
        forms.isEmpty() ? Optional.empty() : Optional.of(printer(forms, options, protocols)),
        Optional.of(new PacketTable(PathText.parse(file), names)));
  }

  private static PacketPrinter printer(
      List<String> forms, ParseResult options, Protocols protocols) {
    if (forms.size() > 1) {
      throw new ConfigException(
          "packets can be printed in one form only: %s; leave out all but one"
              .formatted(String.join(", ", forms)));
    }
    PacketPrinter printer =
        switch (forms.isEmpty() ? "--summary" : forms.get(0)) {
          case "--text" -> new TextPrinter();
          case "--json" -> new JsonPrinter(protocols);
          case "--tshark-json" -> new TsharkJsonPrinter();
          case "--fields" ->
              new FieldColumns(
                  protocols, fields(protocols, options.matchedOptionValue("--fields", "")));
          default -> new SummaryPrinter();
        };
    return options.matchedOptionValue("--hex", false) ? new HexPrinter(printer) : printer;
  }

  private static List<String> fields(Protocols protocols, String text) {
    List<String> names = Stream.of(text.split(",", -1)).map(String::strip).toList();
    try {
      var _ = new FieldSelection(protocols, names);
      return names;
    } catch (IllegalArgumentException e) {
      throw new ConfigException("--fields: " + e.getMessage());
    }
  }
}
