package io.linerate.apps.generate;

import io.linerate.apps.run.Command;
import io.linerate.apps.run.Console;
import io.linerate.apps.run.EngineRun;
import io.linerate.apps.run.Options;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate generate}. */
public final class GenerateCommand implements Command {
  @Override
  public CommandSpec spec() {
    CommandSpec spec =
        Options.command("generate", "Makes packets and sends them, at a rate that it keeps.")
            .addOption(Options.text("--port", "ADDRESS", "Port to send to."))
            .addOption(
                Options.text(
                    "--rate",
                    "RATE",
                    "Such as 1Mpps, 500Mbps (layer 2: frames with their check sequence), 10GbpsL1"
                        + " (layer 1: with preamble and gap) or max, the default."))
            .addOption(
                Options.text(
                    "--size",
                    "SIZE",
                    "Bytes of a frame with its check sequence, as RFC 2544 counts: 64 has 60 in"
                        + " memory. Also 64-1518[,random] or imix (64, 594, 1518 as 7 : 4 : 1)."))
            .addOption(Options.text("--protocol", "NAME", "udp (the default), tcp, icmp or arp."))
            .addOption(Options.text("--ip", "4|6", "IP version; otherwise as the addresses are."))
            .addOption(
                Options.text(
                    "--src",
                    "RANGE",
                    "Source addresses: a, a-b or a/24, each [,step=N] or [,random]."))
            .addOption(Options.text("--dst", "RANGE", "Destination addresses."))
            .addOption(
                Options.text("--srcport", "RANGE", "Source ports, such as 1024-65535,random."))
            .addOption(Options.text("--dstport", "RANGE", "Destination ports."))
            .addOption(Options.text("--srcmac", "MAC", "Source of the Ethernet header."))
            .addOption(Options.text("--dstmac", "MAC", "Destination of the Ethernet header."))
            .addOption(Options.text("--vlan", "N", "Tag frames with this VLAN."))
            .addOption(
                Options.text("--payload", "WHAT", "random (the default), zero or a file's bytes."))
            .addOption(flag("--sequence", "Put sequence numbers into the payload."))
            .addOption(flag("--timestamps", "Put the time of sending into the payload."))
            .addOption(Options.text("--replay", "FILE", "Send the packets of a capture file."))
            .addOption(
                Options.text(
                    "--speed",
                    "SPEED",
                    "Of a replay: recorded (the default), a multiple such as 2x, or max."))
            .addOption(Options.text("--packets", "N", "Stop after N packets."))
            .addOption(Options.text("--duration", "TIME", "Stop after this time, such as 10s."))
            .addOption(Options.text("--seed", "N", "Of random values: the same packets each time."))
            .addOption(
                Options.text("--plan", "FILE", "Several streams and when each has which rate."))
            .addOption(
                Options.text(
                    "--receive",
                    "ADDRESS",
                    "Port where packets come back: measures loss, reordering, duplicates, delay."))
            .addOption(
                Options.text("--config", "FILE.properties", "The same options without dashes."))
            .addOption(Options.stats())
            .addOption(Options.set())
            .addOption(Options.json());
    Options.withDashboard(spec)
        .usageMessage()
        .customSynopsis(
            "Usage: linerate generate --port ADDRESS [--rate RATE] [--size SIZE] [--protocol NAME]"
                + " [--src RANGE]",
            "                         [--dst RANGE] [--packets N] [--duration TIME] [--receive"
                + " ADDRESS] [OPTIONS]")
        .description(
            "It ends after the packets or the time asked for, with its replay or plan, or when"
                + " interrupted.",
            "Packets that the port does not take wait. docs/generate.md has the formats.")
        .footer(
            "  linerate generate --port pcap:tx=out.pcap --packets 1000 --size imix",
            "  linerate generate --port dpdk:0000:03:00.0 --rate 1Mpps --duration 10s --stats 1s",
            "  linerate generate --port dpdk:net_af_packet0,iface=eth1 --protocol tcp --src"
                + " 10.0.0.0/24 --dstport 80",
            "  linerate generate --port dpdk:0000:03:00.0 --receive dpdk:0000:03:00.1 --rate"
                + " 500Mbps --json",
            "  linerate generate --port pcap:tx=out.pcap --replay in.pcapng --speed 2x");
    return spec;
  }

  private static OptionSpec flag(String name, String description) {
    return OptionSpec.builder(name).type(boolean.class).arity("0").description(description).build();
  }

  @Override
  public int run(ParseResult options, Console console) {
    GenerateSettings settings = GenerateSettings.of(options);
    Traffic traffic = new Traffic(settings.plan(), settings.address(), settings.returnAddress());
    return new EngineRun(settings.engine(), Optional.empty(), settings.stats(), console)
        .dashboard(Options.dashboard(options))
        .run(new Generate(traffic, settings.isJson(), console));
  }
}
