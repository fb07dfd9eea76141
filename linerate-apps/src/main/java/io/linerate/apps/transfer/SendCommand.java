package io.linerate.apps.transfer;

import io.linerate.apps.generate.Rate;
import io.linerate.core.config.ConfigException;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.codec.Compression;
import io.linerate.stream.net.LinkSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate send}. */
public final class SendCommand implements Command {
  private static final int MOST_FLOWS = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Override
  public CommandSpec spec() {
    return Options.command(
        "send",
        """
        Sends files to linerate receive, by a port of its own, without the kernel's network stack.

        Usage: linerate send FILE|DIRECTORY|-... --to ADDRESS[:PORT] --via PORT [OPTIONS]

        What the network loses is sent again. Every file has its name at the other end once it
        is whole; what is there with the same size and time is not sent. Killed on either side
        and started again, it goes on where it was. See docs/transfer.md.

        [FILE]...  Files, directories with all that is in them, or - for standard input.
        --to ADDRESS[:PORT]  Where linerate receive listens; at port 4242 if left out.
        %s--cipher NAME  aes-256-gcm (the default) or chacha20-poly1305.
        --compress NAME[:LEVEL]  zstd, lz4, deflate or none (the default), such as zstd:3.
        --name NAME  What standard input is called at the other end.
        --flows N  Streams of each worker; 1 if left out.
        --rate RATE  Of each stream, such as 500Mbps; found out if left out.
        --timeout TIME  How long a silent receiver is waited for; 60s if left out.
        --set --json --stats --dashboard --dashboard-tls --dashboard-open

        linerate send backup.tar --to 192.0.2.2 --via packet:eth0
        linerate send photos music --to 192.0.2.2 --via xdp:eth0 --key link.key --compress zstd
        tar c src | linerate send - --name src.tar --to 192.0.2.2 --via packet:eth0
        """
            .formatted(LinkOptions.PAGE));
  }

  @Override
  public int run(ParseResult options, Console console) {
    Duration patience = Options.duration(options, "--timeout").orElse(PATIENCE);
    LinkOptions link = new LinkOptions(options, "send", patience);
    int flows = (int) Options.number(options, "--flows", 1, MOST_FLOWS, 1);
    String[] compress = options.<String>matchedOptionValue("--compress", "none").split(":", 2);
    Optional<Compression> compression = compression(compress[0]);
    int level = level(compression, compress);
    String peer = peer(options.matchedOptionValue("--to", ""));
    SendList list = new SendList(compression);
    List<String> named = options.matchedPositionalValue(0, List.of());
    if (named.isEmpty()) {
      throw new ConfigException(
          "nothing to send; name files and directories, or - for standard input");
    }
    String name = options.matchedOptionValue("--name", "");
    SentFile pipe = null;
    for (String one : named) {
      if (!one.equals("-")) {
        list.add(one);
      } else if (name.isEmpty() || pipe != null) {
        throw new ConfigException(
            "standard input has no name; write - once, and --name with what it is called at the other end");
      } else {
        pipe = list.addPipe(name);
      }
    }
    SendPlan plan = new SendPlan(list.files());
    list.skipped().forEach(plan::problem);
    if (pipe != null) {
      SentFile file = pipe;
      PipeContent content =
          new PipeContent(System.in, file.extentSize, () -> plan.giveExtents(file));
      file.content = content;
      content.start();
    }
    return new EngineRun(
            link.configuration().engine(),
            link.configuration().duration(),
            Options.stats(options),
            console)
        .dashboard(Options.dashboard(options))
        .run(
            new Send(
                link,
                settings(options, link.settings()),
                peer,
                flows,
                level,
                plan,
                Options.isJson(options),
                console));
  }

  private static LinkSettings settings(ParseResult options, LinkSettings link) {
    String cipher = options.matchedOptionValue("--cipher", AeadAlgorithm.AES_256_GCM.label());
    LinkSettings settings = link.withAlgorithm(LinkOptions.algorithm(cipher));
    String rate = options.matchedOptionValue("--rate", "max");
    Rate parsed = Rate.parse(rate);
    return switch (parsed.unit()) {
      case MAX -> settings;
      case BPS -> settings.withRate((long) parsed.perSecond());
      default ->
          throw new ConfigException(
              "wrong rate: --rate %s; write bits each second, such as 500Mbps".formatted(rate));
    };
  }

  private static String peer(String text) {
    if (text.isEmpty()) {
      throw new ConfigException("no receiver: --to is missing; write --to 192.0.2.2");
    }
    boolean hasPort =
        text.startsWith("[")
            ? text.contains("]:")
            : text.indexOf(':') == text.lastIndexOf(':') && text.contains(":");
    if (hasPort) {
      return text;
    }
    boolean isIpv6 = text.contains(":") && !text.startsWith("[");
    return (isIpv6 ? "[" + text + "]" : text) + ":" + LinkOptions.UDP_PORT;
  }

  private static Optional<Compression> compression(String name) {
    if (name.equals("none")) {
      return Optional.empty();
    }
    Compression compression =
        Arrays.stream(Compression.values())
            .filter(one -> one.label().equals(name))
            .findFirst()
            .orElseThrow(() ->
                new ConfigException(
                    "no such compression: --compress %s; write none, %s"
                        .formatted(
                            name,
                            Arrays.stream(Compression.values())
                                .map(Compression::label)
                                .collect(Collectors.joining(", ")))));
    if (!compression.isAvailable()) {
      throw new ConfigException(compression.problem());
    }
    return Optional.of(compression);
  }

  private static int level(Optional<Compression> compression, String[] words) {
    if (compression.isEmpty() || words.length == 1) {
      return 1;
    }
    try {
      int level = Integer.parseInt(words[1]);
      compression.get().open(level).close(); // Says which there are.
      return level;
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "no level of compression: --compress %s:%s; write a number, such as %s:3"
              .formatted(words[0], words[1], words[0]));
    }
  }
}
