package io.linerate.stream.net;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenCrossing;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import io.linerate.stream.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to a {@link StreamIn} by UDP, which gives them in the same order: docs/streams.md,
 * docs/stream-protocol.md. Each worker has flows of its own, from UDP ports by which the answers
 * come to it. What brings messages waits while half of the buffer is full.
 *
 * <pre>
 * inputs      in: frames of IPv4 and IPv6 for its address, such as those of a Link
 *             messages: Bytes
 * outputs     out: frames whose addresses a Link is to write
 *             rest (may be left unconnected: such packets are dropped): what is not from the peer
 *             answers (may be left unconnected): messages that come back
 * parameters  settings: of both ends; address: its own; peer: where to, such as 192.0.2.2:4242
 *             flows: of each worker, 1 or more; messages are given to them in turn
 * drops       consumed: datagrams; not_stream: of rest
 *             queue_full, too_long: messages
 * reads       messages; flows, peers: what is known of them
 *             sent, received, lost, repeated, refused, not_authentic: datagrams of sessions
 *             missing, late, no_room: answers that are not sent again; moved: flows that came from another worker
 *             bad_handshakes, malformed, unknown, elsewhere, flows_refused: other datagrams
 * example     g.add("out", new StreamOut(LinkSettings.DEFAULT, "192.0.2.1", "192.0.2.2:4242", 1))
 * </pre>
 */
public record StreamOut(LinkSettings settings, String address, String peer, int flows)
    implements Element {
  public static final DropReason TOO_LONG = DropReason.named("too_long");

  private static final System.Logger LOG = System.getLogger("io.linerate.stream");

  @Override
  public Shape shape() {
    return Shape.NONE
        .input("in")
        .tokenInput("messages", TokenType.of(Bytes.class))
        .output("out")
        .optionalOutput("rest")
        .optionalTokenOutput("answers", TokenType.of(Message.class))
        .buffered()
        .holding();
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>(settings.problems());
    Problems.parse(problems, "address", address, UdpAddress::host);
    Problems.parse(problems, "peer", peer, UdpAddress::parse);
    if (problems.isEmpty()
        && UdpAddress.host(address).isIpv6() != UdpAddress.parse(peer).isIpv6()) {
      problems.add(
          "addresses are of two versions: address=%s, peer=%s; write two of IPv4 or of IPv6"
              .formatted(address, peer));
    }
    if (flows < 1 || flows > settings.mostFlows()) {
      problems.add(
          "no number of flows: flows=%d, mostFlows=%d; write 1 to %2$d, or allow more"
              .formatted(flows, settings.mostFlows()));
    }
    return problems;
  }

  @Override
  public void open(Wiring wiring) {
    Sender sender = new Sender(this, wiring, wiring.shared(() -> new Flows(settings)));
    sender.worker.open();
    wiring.objects("messages", Bytes.class, sender::add);
    wiring.holdBack(sender::isFull);
    wiring.linkRound(links -> {
      sender.answers = links.objects("answers", Message.class);
      return sender;
    });
    wiring.count("messages", () -> sender.messages);
  }

  /** On one worker. */
  private static final class Sender implements FlowEvents, Round {
    private final Wiring wiring;
    private final Flows shared;
    private final LinkWorker worker;
    private final UdpPath path;
    private final String peer;
    private final int mostBytes;
    private final int fullBytes;
    private final LinkSettings settings;
    private final @Nullable Flow[] flows;
    private final Message message;
    private @Nullable ObjectOutlet<Message> answers;
    private int next;
    private long messages;

    Sender(StreamOut out, Wiring wiring, Flows shared) {
      this.wiring = wiring;
      this.shared = shared;
      UdpAddress own = UdpAddress.host(out.address);
      UdpAddress to = UdpAddress.parse(out.peer);
      peer = out.peer;
      settings = out.settings;
      path = new UdpPath(own.isIpv6(), own.high(), own.low(), 0, to.high(), to.low(), to.port());
      worker =
          new LinkWorker(
              wiring,
              shared,
              Endpoint.Role.CLIENT,
              from -> to.isRemote(from) && own.isLocal(from),
              this);
      message = new Message(worker.endpoint());
      mostBytes = out.settings.mostMessageBytes();
      fullBytes = out.settings.bufferBytes() / 2;
      flows = new Flow[out.flows];
    }

    void add(Bytes token) {
      if (token.length() > mostBytes) {
        wiring.dropToken(TOO_LONG);
        return;
      }
      next = next + 1 < flows.length ? next + 1 : 0;
      Flow flow = flow(next);
      if (flow == null || !flow.send.hasRoom(token.length())) {
        wiring.dropToken(TokenCrossing.FULL);
        return;
      }
      flow.send.add(token.segment(), token.offset(), token.length());
      messages++;
    }

    private @Nullable Flow flow(int number) {
      Flow flow = flows[number];
      if (flow == null || !isOwn(flow) || flow.isFinished) {
        flow = worker.endpoint().connect(path, wiring.nowNs()).orElse(null);
        flows[number] = flow;
        if (flow == null) {
          giveUp(
              new StreamException(
                  "no room for one more flow: mostFlows=%d, flowsOfEachWorker=%d; allow more"
                      .formatted(settings.mostFlows(), flows.length)));
        }
      }
      return flow;
    }

    private boolean isOwn(Flow flow) {
      return !flow.isOver && flow.owner == wiring.worker();
    }

    boolean isFull() {
      for (Flow flow : flows) {
        if (flow != null && isOwn(flow) && flow.send.keptBytes() > fullBytes) {
          return true;
        }
      }
      return false;
    }

    /** Another worker gives it no more messages. */
    @Override
    public void moved(Flow flow) {
      if (!Arrays.asList(flows).contains(flow)) {
        worker.endpoint().finish(flow);
      }
    }

    @Override
    public int run() {
      return worker.run();
    }

    @Override
    public boolean isActive() {
      for (Flow flow : worker.endpoint().own()) {
        if (!flow.send.isAllAcked()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public long restNs(Runnable wake) {
      return worker.restNs(wake);
    }

    @Override
    public void message(Flow flow, Bytes answer) {
      message.set(flow, answer);
      if (answers != null) {
        answers.accept(message);
      }
    }

    @Override
    public void silent(Flow flow) {
      if (shared.isSilenceSaid.compareAndSet(false, true)) {
        LOG.log(
            System.Logger.Level.WARNING, "peer does not answer: peer={0}; it is asked again", peer);
      }
    }

    @Override
    public void heard(Flow flow) {
      if (shared.isSilenceSaid.compareAndSet(true, false)) {
        LOG.log(System.Logger.Level.INFO, "peer answers again: peer={0}", peer);
      }
    }

    @Override
    public void lost(Flow flow, String why) {
      giveUp(
          new StreamException(
              "peer is lost: peer=%s, why=%s; see whether it runs, with the same key, and whether packets come back"
                  .formatted(peer, why)));
    }

    /** What ends all flows is said of the first. */
    private void giveUp(StreamException why) {
      if (shared.isGivenUp.compareAndSet(false, true)) {
        wiring.giveUp(why);
      }
    }
  }
}
