/** The applications and the {@code linerate} command. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.linerate.apps {
  requires transitive HdrHistogram;
  requires com.google.gson;
  requires info.picocli;
  requires io.linerate.analysis;
  requires transitive io.linerate.core;
  requires io.linerate.dashboard;
  requires io.linerate.decode;
  requires io.linerate.driver.dpdk;
  requires io.linerate.driver.linux;
  requires io.linerate.driver.pcap;
  requires io.linerate.fabric;
  requires io.linerate.graph;
  requires io.linerate.middlebox;
  requires io.linerate.program;
  requires io.linerate.stream;
  requires io.linerate.track;
  requires io.linerate.wire;
  requires java.net.http;
  requires org.knowm.xchart;

  // Only the command needs them, on the class path: they require a module that is not there.
  requires static org.jline.reader;
  requires static org.jline.terminal;
  requires static org.jspecify;

  exports io.linerate.apps.generate;

  // The manual pages of elements stand beside their classes.
  opens io.linerate.apps.capture to
      io.linerate.graph;
  opens io.linerate.apps.flows to
      io.linerate.graph;
  opens io.linerate.apps.transfer to
      io.linerate.graph;

  uses io.linerate.analysis.ReportFileFormat;
  uses io.linerate.core.port.PortProvider;
  uses io.linerate.decode.PacketFileFormat;
  uses io.linerate.track.flow.FlowFileFormat;

  provides io.linerate.core.config.SettingsOwner with
      io.linerate.apps.firewall.FirewallSettings,
      io.linerate.apps.balance.BalanceConfiguration,
      io.linerate.apps.gateway.GatewayConfiguration,
      io.linerate.apps.nat.NatConfiguration,
      io.linerate.apps.route.RouteConfiguration;
}
