package io.linerate.apps.transfer;

import io.linerate.apps.generate.Rate;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.net.LinkSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

        [FILE]...  Files, directories with what is in them, - for standard input.
        --to ADDRESS[:PORT]  Where linerate receive listens; at port 4242 if left out.
        %s--cipher NAME  aes-256-gcm (the default) or chacha20-poly1305.
        --compress NAME[:LEVEL]  zstd, lz4, deflate or none (the default), such as zstd:3.
        --rule RULE  What is done with which files: '*.key: encrypt'; repeatable.
        --rules FILE  The same, a rule in each line, behind those of --rule.
        --file-key FILE  Encrypts the files that rules say so of, without --key.
        --name NAME  What standard input is called at the other end.
        --flows N  Streams of each worker; 1 if left out.
        --rate RATE  Of each stream, such as 500Mbps; found out if left out.
        --timeout TIME  How long a silent receiver is waited for; 60s if left out.
        --set --json --stats --dashboard --dashboard-tls --dashboard-open

        linerate send backup.tar --to 192.0.2.2 --via packet:eth0
        linerate send photos music --to 192.0.2.2 --via xdp:eth0 --key link.key --compress zstd
        linerate send etc --to 192.0.2.2 --via packet:eth0 --file-key k --rule '*.key: encrypt'
        tar c src | linerate send - --name src.tar --to 192.0.2.2 --via packet:eth0
        """
            .formatted(LinkOptions.PAGE));
  }

  @Override
  public int run(ParseResult options, Console console) {
    Duration patience = Options.duration(options, "--timeout").orElse(PATIENCE);
    LinkOptions link = new LinkOptions(options, "send", patience);
    int flows = (int) Options.number(options, "--flows", 1, MOST_FLOWS, 1);
    requireFew(flows, link);
    SendRules rules = rules(options);
    Optional<FileKey> key = LinkOptions.fileKey(options);
    if (link.settings().key().isSecret()) {
      rules.leaveSecretsToLink();
    } else if (rules.hasSecrets() && key.isEmpty()) {
      throw new ConfigException(
          "no key for rules that encrypt: write --file-key FILE at both ends, or --key FILE, which encrypts everything");
    }
    String peer = peer(options.matchedOptionValue("--to", ""));
    SendList list = new SendList(rules);
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
    SendPlan plan = new SendPlan(list.files(), patience.multipliedBy(2)); // The link knows first.
    list.unread().forEach(plan::problem);
    if (!list.skipped().isEmpty()) {
      console.say(String.join("\n", list.skipped()));
    }
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
                key,
                plan,
                list.skipped().size(),
                Options.isJson(options),
                console));
  }

  private static void requireFew(int flows, LinkOptions link) {
    int workers = link.configuration().engine().mostWorkers();
    int most = link.settings().mostFlows();
    if (flows * workers > most) {
      throw new ConfigException(
          "too many streams: --flows %d, workers=%d, most=%d; a receiver has no more at a time"
              .formatted(flows, workers, most));
    }
  }

  private static LinkSettings settings(ParseResult options, LinkSettings link) {
    String cipher = options.matchedOptionValue("--cipher", AeadAlgorithm.AES_256_GCM.label());
    LinkSettings settings = link.withAlgorithm(LinkOptions.algorithm(cipher));
    String rate = options.matchedOptionValue("--rate", "max");
    if (rate.equals("max")) {
      return settings;
    }
    return settings.withRate((long) bits(rate).perSecond());
  }

  private static Rate bits(String text) {
    try {
      Rate rate = Rate.parse(text);
      if (rate.unit() == Rate.Unit.BPS) {
        return rate;
      }
    } catch (ConfigException e) {
      // It proposes packets, too.
    }
    throw new ConfigException(
        "wrong rate: --rate %s; write bits each second, such as 500Mbps, or max".formatted(text));
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

  private static SendRules rules(ParseResult options) {
    String compress = options.matchedOptionValue("--compress", "none");
    SendRules rules = new SendRules(SendRules.compressed(Treatment.PLAIN, "--compress", compress));
    options.matchedOptionValue("--rule", List.<String>of()).forEach(rules::add);
    Optional.ofNullable(options.<String>matchedOptionValue("--rules", null))
        .ifPresent(file -> rules.addAll(PathText.parse(file)));
    return rules;
  }
}
