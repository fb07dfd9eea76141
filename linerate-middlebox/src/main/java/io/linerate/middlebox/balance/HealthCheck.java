package io.linerate.middlebox.balance;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ipv4Address;
import java.util.List;

/**
 * Asks backends again and again whether they are up: by an echo request (RFC 792), a connection of
 * TCP that is reset as soon as it is there, or a page of HTTP/1.0. On the first worker; answers may
 * come by any.
 *
 * <p>No state of TCP is kept: each answer says what is to be sent next, and one that is lost is a
 * question that nobody answered.
 *
 * <pre>
 * inputs      in: frames of IPv4 to its own address
 * outputs     out: questions, and what follows, for a link
 *             rest (may be left unconnected: such packets are dropped): what is no answer
 * parameters  backends: whom it asks, and tells what it found
 *             settings
 *             address: of IPv4, its own
 * drops       consumed: answers
 *             not_answered: of rest
 * reads       asked, answered: how often
 * example     g.chain(servers, g.add("health", new HealthCheck(backends, settings, "10.0.0.1")), link.in("ip"))
 * </pre>
 */
public record HealthCheck(Backends backends, HealthSettings settings, String address)
    implements Element {
  private static final DropReason NOT_ANSWERED = DropReason.named("not_answered");

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    try {
      int _ = Ipv4Address.parse(address);
      return List.of();
    } catch (IllegalArgumentException e) {
      return List.of("address: " + e.getMessage());
    }
  }

  @Override
  public void open(Wiring wiring) {
    Prober prober = new Prober(this, wiring);
    var rest = wiring.output("rest");
    wiring.input(
        "in",
        burst -> {
          for (var packet : burst) {
            if (prober.isAnswer(packet)) {
              packet.drop(DropReason.CONSUMED);
            } else {
              rest.send(packet, NOT_ANSWERED);
            }
          }
        });
    if (wiring.worker() == 0 && settings.kind() != HealthSettings.Kind.NONE) {
      prober.ask();
      wiring.every(settings.interval().toNanos(), prober::ask);
    }
    wiring.count("asked", prober::asked);
    wiring.count("answered", prober::answered);
  }
}
