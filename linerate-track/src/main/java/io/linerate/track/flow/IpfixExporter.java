package io.linerate.track.flow;

import io.linerate.wire.Ipv4;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends flows to a collector: an exporting process of IPFIX (RFC 7011), with both directions in one
 * record (RFC 5103). Flows with one direction have templates of their own. One thread's own.
 *
 * <p>Times are in nanoseconds, and in milliseconds for collectors that know no others. Elements
 * that do not apply are 0. Templates stand in the first message, and again in every {@link
 * #TEMPLATE_PERIOD_S}th second where messages may get lost (section 8.4). A message that could not
 * be sent is counted; where none may get lost, that is a {@link #failure}, and there are no more.
 */
public final class IpfixExporter implements FlowSink {
  /** Bytes of a message, so that it is one packet nearly everywhere: section 10.3.3. */
  public static final int DEFAULT_MESSAGE_BYTES = 1_400;

  /** All templates fit into it. */
  public static final int MIN_MESSAGE_BYTES = 600;

  public static final int MAX_MESSAGE_BYTES = 0xFFFF;

  /** How often templates are sent again. */
  public static final int TEMPLATE_PERIOD_S = 60;

  private static final int FIRST_TEMPLATE = 256;

  private final IpfixTransport transport;
  private final int domain;
  private final LongSupplier epochMs;
  private final IpfixMessage message;
  private final List<Template> templates = new ArrayList<>();

  /** In which second templates were sent; -1: never. */
  private long templatesS = -1;

  private int sequence;
  private int recordsInMessage;
  private long messages;
  private long lostMessages;
  private @Nullable IOException failure;

  private record Template(int id, List<FlowElement> elements, int recordBytes) {}

  /**
   * @param messageBytes of a message at most, {@link #MIN_MESSAGE_BYTES} to {@link
   *     #MAX_MESSAGE_BYTES}
   * @param domain observation domain: a number of who meters
   * @param epochMs the time now, as {@link System#currentTimeMillis}
   */
  public IpfixExporter(
      IpfixTransport transport, int messageBytes, int domain, LongSupplier epochMs) {
    if (messageBytes < MIN_MESSAGE_BYTES || messageBytes > MAX_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "no such message: messageBytes=%d; give %d to %d"
              .formatted(messageBytes, MIN_MESSAGE_BYTES, MAX_MESSAGE_BYTES));
    }
    this.transport = transport;
    this.domain = domain;
    this.epochMs = epochMs;
    message = new IpfixMessage(messageBytes);
    for (int i = 0; i < 4; i++) {
      List<FlowElement> elements = FlowElements.ofMessages(i < 2, (i & 1) != 0);
      templates.add(new Template(FIRST_TEMPLATE + i, elements, IpfixMessage.recordBytes(elements)));
    }
  }

  @Override
  public void onFlow(FlowRecord flow) {
    if (failure != null) {
      return;
    }
    int version = flow.ipVersion() == Ipv4.VERSION ? 0 : 2;
    Template template = templates.get(version + (flow.isBiflow() ? 1 : 0));
    if (!message.hasRoom(template.id, template.recordBytes)) {
      flush();
    }
    if (message.isEmpty()) {
      addTemplates();
    }
    if (!message.hasRoom(template.id, template.recordBytes)) {
      flush(); // Templates alone.
    }
    message.addRecord(template.id, template.elements, flow);
    recordsInMessage++;
  }

  private void addTemplates() {
    long nowS = epochMs.getAsLong() / 1_000;
    if (templatesS >= 0 && (transport.isReliable() || nowS - templatesS < TEMPLATE_PERIOD_S)) {
      return;
    }
    templatesS = nowS;
    for (Template template : templates) {
      int bytes = IpfixMessage.templateBytes(template.elements);
      if (!message.hasRoom(IpfixMessage.TEMPLATE_SET, bytes)) {
        flush();
      }
      message.addTemplate(template.id, template.elements);
    }
  }

  /** Sends what waits for a full message. */
  @Override
  public void flush() {
    if (message.isEmpty() || failure != null) {
      message.clear();
      return;
    }
    try {
      transport.send(message.end(epochMs.getAsLong() / 1_000, sequence, domain));
      messages++;
    } catch (IOException e) {
      lostMessages++;
      templatesS = -1;
      if (transport.isReliable()) {
        failure = e;
      }
    }
    sequence += recordsInMessage; // Section 3.1: so that a collector sees what it lacks.
    recordsInMessage = 0;
    message.clear();
  }

  @Override
  public @Nullable IOException failure() {
    return failure;
  }

  /** Messages that were sent. */
  public long messages() {
    return messages;
  }

  /** Messages that could not be sent. */
  public long lostMessages() {
    return lostMessages;
  }

  /** Sends the rest, and closes the transport. */
  @Override
  public void close() throws IOException {
    if (failure == null) {
      flush();
    }
    transport.close();
    if (failure != null) {
      throw failure;
    }
  }
}
