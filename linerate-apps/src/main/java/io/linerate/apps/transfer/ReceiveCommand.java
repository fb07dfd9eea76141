package io.linerate.apps.transfer;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate receive}. */
public final class ReceiveCommand implements Command {
  private static final System.Logger LOG = System.getLogger(ReceiveCommand.class.getName());
  private static final int MOST_PORT = 65_535;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Override
  public CommandSpec spec() {
    return Options.command(
        "receive",
        """
        Takes files that linerate send sends, by a port of its own, without the kernel's network stack.

        Usage: linerate receive --into DIRECTORY --via PORT [OPTIONS]

        A file has its name once it is whole and its checksums are right; what is not whole
        waits in DIRECTORY/.linerate-receive for the rest. It runs until it is interrupted.
        See docs/transfer.md.

        --into DIRECTORY  Where files are put; it is made if it is not there.
        %s--udp-port N  Where it listens; 4242 if left out.
        --file-key FILE  Decrypts the files that rules of the sender's encrypt.
        --once  End when a sender has sent all that it has.
        --set --duration --json --stats --dashboard --dashboard-tls --dashboard-open

        linerate receive --into /srv/in --via packet:eth0
        linerate receive --into . --via xdp:eth0 --address 192.0.2.9/24 --key link.key --once
        """
            .formatted(LinkOptions.PAGE));
  }

  @Override
  public int run(ParseResult options, Console console) {
    LinkOptions link = new LinkOptions(options, "receive", PATIENCE);
    int udpPort = (int) Options.number(options, "--udp-port", 1, MOST_PORT, LinkOptions.UDP_PORT);
    Receive receive =
        new Receive(
            link,
            udpPort,
            new Incoming(into(options), LOG::log),
            LinkOptions.fileKey(options),
            options.matchedOptionValue("--once", false),
            Options.isJson(options),
            console);
    return new EngineRun(
            link.configuration().engine(),
            Options.duration(options).or(link.configuration()::duration),
            Options.stats(options),
            console)
        .dashboard(Options.dashboard(options))
        .run(receive);
  }

  private static Path into(ParseResult options) {
    String text = options.matchedOptionValue("--into", "");
    if (text.isEmpty()) {
      throw new ConfigException("nowhere to put files: --into is missing; write --into DIRECTORY");
    }
    Path into = PathText.parse(text);
    try {
      Files.createDirectories(into);
      if (!Files.isWritable(into)) {
        throw new ConfigException(
            "directory cannot be written: --into %s; see whose it is".formatted(text));
      }
      return into.toRealPath();
    } catch (FileAlreadyExistsException e) {
      throw new ConfigException("not a directory: --into %s; name a directory".formatted(text));
    } catch (IOException e) {
      throw new ConfigException(
          "directory cannot be made: --into %s, why=%s; name one that can be"
              .formatted(text, Incoming.text(e)));
    }
  }
}
