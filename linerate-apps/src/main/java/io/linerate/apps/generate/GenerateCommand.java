package io.linerate.apps.generate;

import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate generate}. */
public final class GenerateCommand implements Command {
  @Override
  public CommandSpec spec() {
    return Options.command(
        "generate",
        """
        Makes packets and sends them, at a rate that it keeps.

        Usage: linerate generate --port ADDRESS [--rate RATE] [--size SIZE] [--protocol NAME] [--src RANGE]
                                 [--dst RANGE] [--packets N] [--duration TIME] [--receive ADDRESS] [OPTIONS]

        It ends after the packets or the time asked for, with its replay or plan, or when interrupted.
        Packets that the port does not take wait. docs/generate.md has the formats.

        --port ADDRESS      Port to send to.
        --rate RATE         Such as 1Mpps, 500Mbps (layer 2: frames with their check sequence), 10GbpsL1 (layer 1:
                            with preamble and gap) or max, the default.
        --size SIZE         Bytes of a frame with its check sequence, as RFC 2544 counts: 64 has 60 in memory.
                            Also 64-1518[,random] or imix (64, 594, 1518 as 7 : 4 : 1).
        --protocol NAME     udp (the default), tcp, icmp or arp.
        --ip 4|6            IP version; otherwise as the addresses are.
        --src RANGE         Source addresses: a, a-b or a/24, each [,step=N] or [,random].
        --dst RANGE         Destination addresses.
        --srcport RANGE     Source ports, such as 1024-65535,random.
        --dstport RANGE     Destination ports.
        --srcmac MAC        Source of the Ethernet header.
        --dstmac MAC        Destination of the Ethernet header.
        --vlan N            Tag frames with this VLAN.
        --payload WHAT      random (the default), zero or a file's bytes.
        --sequence          Put sequence numbers into the payload.
        --timestamps        Put the time of sending into the payload.
        --replay FILE       Send the Ethernet frames of a capture file.
        --speed SPEED       Of a replay: recorded (the default), a multiple such as 2x, or max.
        --packets N         Stop after N packets.
        --duration TIME     Stop after this time, such as 10s.
        --seed N            Of random values: the same packets each time.
        --plan FILE         Several streams and when each has which rate.
        --receive ADDRESS   Port where packets come back: measures loss, reordering, duplicates, delay.
        --config FILE.properties  The same options without dashes.
        --stats --set --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate generate --port pcap:tx=out.pcap --packets 1000 --size imix
        linerate generate --port dpdk:0000:03:00.0 --rate 1Mpps --duration 10s --stats 1s
        linerate generate --port dpdk:net_af_packet0,iface=eth1 --protocol tcp --src 10.0.0.0/24 --dstport 80
        linerate generate --port dpdk:0000:03:00.0 --receive dpdk:0000:03:00.1 --rate 500Mbps --json
        linerate generate --port pcap:tx=out.pcap --replay in.pcapng --speed 2x
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    GenerateSettings settings = GenerateSettings.of(options);
    Traffic traffic = new Traffic(settings.plan(), settings.address(), settings.returnAddress());
    return new EngineRun(settings.engine(), Optional.empty(), settings.stats(), console)
        .dashboard(Options.dashboard(options))
        .drops(Options.drops(options))
        .run(new Generate(traffic, settings.isJson(), console));
  }
}
