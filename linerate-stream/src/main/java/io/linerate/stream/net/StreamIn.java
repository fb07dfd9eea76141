package io.linerate.stream.net;

import io.linerate.graph.Element;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import io.linerate.stream.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages that {@link StreamOut}s send by UDP, those of a flow in order, each on the worker
 * that its packets come to: docs/streams.md, docs/stream-protocol.md. While what is behind it holds
 * back, senders wait, too.
 *
 * <pre>
 * inputs      in: frames of IPv4 and IPv6 for its addresses, such as those of a Link
 * outputs     out: frames whose addresses a Link is to write
 *             messages: Message
 *             rest (may be left unconnected: such packets are dropped): what is for other ports
 * parameters  settings: of both ends; addresses: its own; port: of UDP
 *             isAnswering: whether what gets messages may answer them
 * drops       consumed: datagrams; not_stream: of rest
 * reads       messages; flows, peers: what is known of them; ended, failed: flows
 *             moved: flows that came from another worker; flows_refused: that found no room
 *             sent, received, lost, repeated, refused, not_authentic: datagrams of sessions
 *             missing, late, no_room: messages of streams that do not send again
 *             bad_handshakes, malformed, unknown, elsewhere: other datagrams
 * example     g.add("in", StreamIn.of(LinkSettings.DEFAULT, "192.0.2.2", 4242))
 * </pre>
 */
public record StreamIn(LinkSettings settings, List<String> addresses, int port, boolean isAnswering)
    implements Element {
  private static final System.Logger LOG = System.getLogger("io.linerate.stream");
  private static final int MOST_PORT = 65_535;

  public StreamIn {
    addresses = List.copyOf(addresses);
  }

  /** At one address, without answers. */
  public static StreamIn of(LinkSettings settings, String address, int port) {
    return new StreamIn(settings, List.of(address), port, false);
  }

  @Override
  public Shape shape() {
    return Shape.NONE
        .input("in")
        .output("out")
        .tokenOutput("messages", TokenType.of(Message.class))
        .optionalOutput("rest")
        .buffered()
        .holding();
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>(settings.problems());
    addresses.forEach(one -> Problems.parse(problems, "addresses", one, UdpAddress::host));
    if (addresses.isEmpty()) {
      problems.add("no address: addresses=; write one, such as 192.0.2.1");
    }
    if (port < 1 || port > MOST_PORT) {
      problems.add("no port of UDP: port=%d; write 1 to %d".formatted(port, MOST_PORT));
    }
    return problems;
  }

  @Override
  public void open(Wiring wiring) {
    Receiver receiver = new Receiver(this, wiring, wiring.shared(() -> new Flows(settings)));
    receiver.worker.open();
    wiring.linkRound(links -> {
      receiver.out = links.objects("messages", Message.class);
      return receiver;
    });
    wiring.count("messages", () -> receiver.messages);
    wiring.count("ended", () -> receiver.ended);
    wiring.count("failed", () -> receiver.failed);
  }

  /** On one worker. */
  private static final class Receiver implements FlowEvents, Round {
    private final LinkWorker worker;
    private final UdpAddress[] own;
    private final int port;
    private final Message message;
    private @Nullable ObjectOutlet<Message> out;
    private long messages;
    private long ended;
    private long failed;

    Receiver(StreamIn in, Wiring wiring, Flows shared) {
      own = in.addresses.stream().map(UdpAddress::host).toArray(UdpAddress[]::new);
      port = in.port;
      Endpoint.Role role = in.isAnswering ? Endpoint.Role.ANSWERING_SERVER : Endpoint.Role.SERVER;
      worker = new LinkWorker(wiring, shared, role, this::isOwn, this);
      message = new Message(worker.endpoint());
    }

    private boolean isOwn(PathView path) {
      if (path.localPort != port) {
        return false;
      }
      for (UdpAddress address : own) {
        if (address.isLocal(path)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public int run() {
      return worker.run();
    }

    @Override
    public long restNs(Runnable wake) {
      return worker.restNs(wake);
    }

    @Override
    public void message(Flow flow, Bytes content) {
      message.set(flow, content);
      messages++;
      if (out != null) {
        out.accept(message);
      }
    }

    @Override
    public void begun(Flow flow) {
      LOG.log(System.Logger.Level.DEBUG, "stream has begun: {0}", flow.text());
    }

    @Override
    public void silent(Flow flow) {
      LOG.log(System.Logger.Level.WARNING, "peer does not answer: {0}", flow.text());
    }

    @Override
    public void heard(Flow flow) {
      LOG.log(System.Logger.Level.INFO, "peer answers again: {0}", flow.text());
    }

    @Override
    public void ended(Flow flow) {
      ended++;
      LOG.log(System.Logger.Level.DEBUG, "stream has ended: {0}", flow.text());
    }

    @Override
    public void lost(Flow flow, String why) {
      failed++;
      LOG.log(
          System.Logger.Level.WARNING,
          "peer is lost: {0}, bytes={1}, why={2}; it may begin again",
          flow.text(),
          flow.receive.taken(),
          why);
    }
  }
}
