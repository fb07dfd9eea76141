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

        Usage: linerate generate --port ADDRESS [--rate RATE] [--size SIZE] [OPTIONS]

        It ends after its packets, time, replay or plan, or when interrupted. See docs/generate.md.

        --port ADDRESS  Port to send to.
        --rate RATE  1Mpps, 500Mbps (layer 2), 10GbpsL1 (layer 1) or max (the default).
        --size SIZE  Bytes with check sequence: 64, 64-1518[,random] or imix.
        --protocol NAME  udp (the default), tcp, icmp or arp.
        --ip 4|6  IP version; otherwise as the addresses are.
        --src RANGE, --dst RANGE  Addresses: a, a-b or a/24, each [,step=N] or [,random].
        --srcport RANGE, --dstport RANGE  Ports, such as 1024-65535,random.
        --srcmac MAC, --dstmac MAC  Addresses of the Ethernet header.
        --vlan N  Tag frames with this VLAN.
        --payload WHAT  random (the default), zero or a file's bytes.
        --sequence, --timestamps  Put sequence numbers, times of sending into payloads.
        --replay FILE  Send the Ethernet frames of a capture file.
        --speed SPEED  Of a replay: recorded (the default), such as 2x, or max.
        --packets N, --duration TIME  Stop after so many packets, or this time, such as 10s.
        --seed N  Of random values: the same packets each time.
        --plan FILE  Several streams and when each has which rate.
        --receive ADDRESS  Port where packets come back: measures loss, order, delay.
        --config FILE.properties  The same options without dashes.
        --stats --set --filter --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate generate --port pcap:tx=out.pcap --packets 1000 --size imix
        linerate generate --port packet:eth1 --receive packet:eth2 --rate 500Mbps --duration 10s --json
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
