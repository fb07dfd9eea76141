package io.linerate.bench.fabric;

import io.linerate.bench.fabric.exchange.ExchangeProgram;
import io.linerate.bench.suite.Session;
import io.linerate.fabric.Fabric;
import io.linerate.fabric.ProviderInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Two JVMs that run {@link ExchangeProgram}: Linerate on both sides, as C is.
 *
 * @param variant what messages are made of: raw, pin, pin+alloc, copy or copy+alloc
 */
record LineratePeers(String variant) implements Contender.Programs {
  private static final String PINNED = "pin";
  private static final String ANY_PORT = "127.0.0.1:0";

  @Override
  public Contender.Pair pair(Session session, Exchange exchange) {
    Provider provider = exchange.provider();
    boolean isShm = provider == Provider.SHM;
    String place =
        isShm
            ? FabricTwin.SHM_PREFIX + Long.toHexString(System.nanoTime())
            : Provider.freeAddress();
    String server = address(provider, place);
    String client = isShm ? address(provider, place + "-client") : address(provider, ANY_PORT);
    return new Contender.Pair(
        command(session, session.otherCpu(), exchange, exchange.part().server(), "listen", server),
        command(session, session.cpu(), exchange, exchange.part().client(), client, server));
  }

  private static String address(Provider provider, String place) {
    return "fabric:" + provider.linerateName() + ":" + place;
  }

  private List<String> command(
      Session session, int cpu, Exchange exchange, String role, String own, String server) {
    List<String> words = new ArrayList<>(List.of("taskset", "-c", String.valueOf(cpu)));
    words.addAll(session.javaCommand(ExchangeProgram.class.getName()));
    words.addAll(List.of(variant, role, own, server));
    words.addAll(List.of(String.valueOf(exchange.bytes()), String.valueOf(exchange.window())));
    words.addAll(List.of("spin", String.valueOf(exchange.part().volumeBytes())));
    return words;
  }

  /**
   * An array is passed where it is if the provider takes all of it at once, and waits for nobody.
   */
  @Override
  public boolean takes(Exchange exchange) {
    return !variant.startsWith(PINNED)
        || Fabric.providers().stream()
            .filter(ProviderInfo::readsArrays)
            .filter(one -> one.name().equals(exchange.provider().linerateName()))
            .mapToLong(ProviderInfo::injectBytes)
            .anyMatch(most -> exchange.bytes() <= most);
  }

  @Override
  public String lack(Session session) {
    return Fabric.problem();
  }
}
