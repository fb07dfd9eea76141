package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.decode.reassembly.StreamSettings;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate follow}. */
public final class FollowCommand implements Command {
  private static final List<String> FORMS = List.of("--ascii", "--hex", "--raw", "--json");

  @Override
  public CommandSpec spec() {
    return Options.command(
        "follow",
        """
        Prints what the two ends of TCP connections say to each other.

        Usage: linerate follow SOURCE [--stream N] [--ascii|--hex|--raw|--json] [OPTIONS]

        Bytes come in order, however their packets came; what is missing is said.

        SOURCE  A capture file, - for stdin, or a port such as packet:eth1.
        --stream N  Only the stream of this number, from 0 on; all if left out.
        --ascii  Lines of what is said, with who says it before them; the default.
        --hex  Bytes in hexadecimal, sixteen in a line, with their positions.
        --raw  The bytes of one stream and nothing else; wants --stream.
        --json  An object a line for each piece that was said.
        --policy SYSTEM  Which of overlapping bytes count, such as linux, bsd, windows or last.
        --duration --stats --set --filter

        linerate follow examples/captures/mixed.pcapng
        linerate follow traffic.pcap --stream 3 --raw
        linerate follow packet:eth1 --json
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    DecodeSource source = new DecodeSource(options.matchedPositionalValue(0, ""));
    Configuration configuration = source.configuration(options, "follow");
    String policy = options.matchedOptionValue("--policy", "linux");
    Following following =
        new Following(
            source,
            StreamSettings.DEFAULT.withPolicy(StreamOptions.policy(policy)),
            printer(options),
            Options.number(options, "--stream", 0, Long.MAX_VALUE, -1),
            console);
    return new EngineRun(
            configuration.engine(),
            Options.duration(options).or(configuration::duration),
            Options.stats(options),
            console)
        .run(following);
  }

  private static StreamPrinter printer(ParseResult options) {
    List<String> forms = FORMS.stream().filter(options::hasMatchedOption).toList();
    if (forms.size() > 1) {
      throw new ConfigException(
          "streams can be printed in one form only: %s; leave out all but one"
              .formatted(String.join(", ", forms)));
    }
    String form = forms.isEmpty() ? "--ascii" : forms.get(0);
    if (form.equals("--raw") && !options.hasMatchedOption("--stream")) {
      throw new ConfigException("raw bytes are of one stream: --raw; write --stream N as well");
    }
    return StreamPrinter.valueOf(form.substring(2).toUpperCase(Locale.ROOT));
  }
}
