package io.linerate.bench.fabric.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * UCX by its Java binding, with tagged messages: receives are posted before the messages come, and
 * sends are waited for when their buffers are needed again. Each operation makes a request object,
 * as the binding has it. Which transports it takes, the environment says (UCX_TLS).
 */
final class UcxLink implements Link {
  private static final int CREDIT_BYTES = 8;
  private static final long MESSAGE_TAG = 1;
  private static final long CREDIT_TAG = 2;
  private static final long WHOLE_TAG = -1L;

  private final UcpContext context = new UcpContext(new UcpParams().requestTagFeature());
  private final UcpWorker worker = context.newWorker(new UcpWorkerParams());
  private final UcxCallback ignoring = new UcxCallback();
  private final int bytes;
  private final Slot[] out;
  private final Slot[] in;
  private final Slot creditOut = new Slot(CREDIT_BYTES);
  private final Slot creditIn = new Slot(CREDIT_BYTES);
  private @Nullable UcpEndpoint endpoint;
  private int nextOut;
  private int nextIn;

  /** A buffer and what was last asked for with it. */
  private static final class Slot {
    final ByteBuffer buffer;
    final long address;
    @Nullable UcpRequest request;

    Slot(int bytes) {
      buffer = ByteBuffer.allocateDirect(bytes);
      address = UcxUtils.getAddress(buffer);
    }
  }

  private UcxLink(int bytes, int window) {
    this.bytes = bytes;
    out = slots(bytes, window);
    in = slots(bytes, window);
    for (Slot slot : in) {
      post(slot, bytes, MESSAGE_TAG);
    }
    post(creditIn, CREDIT_BYTES, CREDIT_TAG);
  }

  private static Slot[] slots(int bytes, int count) {
    Slot[] slots = new Slot[count];
    for (int i = 0; i < count; i++) {
      slots[i] = new Slot(bytes);
    }
    return slots;
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  /** Waits for a client, after the server is ready. */
  static UcxLink accept(String address, int bytes, int window, Runnable whenReady)
      throws IOException {
    UcxLink link = new UcxLink(bytes, window);
    AtomicReference<@Nullable UcpConnectionRequest> client = new AtomicReference<>();
    UcpListener listener =
        link.worker.newListener(
            new UcpListenerParams()
                .setSockAddr(address(address))
                .setConnectionHandler(client::set));
    whenReady.run();
    while (client.get() == null) {
      link.progress();
    }
    link.endpoint =
        link.worker.newEndpoint(new UcpEndpointParams().setConnectionRequest(client.get()));
    listener.close();
    return link;
  }

  static UcxLink connect(String address, int bytes, int window) {
    UcxLink link = new UcxLink(bytes, window);
    link.endpoint =
        link.worker.newEndpoint(new UcpEndpointParams().setSocketAddress(address(address)));
    return link;
  }

  /** Loads the library, or says why not. */
  static void require() {
    new UcpContext(new UcpParams().requestTagFeature()).close();
  }

  private void post(Slot slot, int size, long tag) {
    slot.request = worker.recvTaggedNonBlocking(slot.address, size, tag, WHOLE_TAG, ignoring);
  }

  private void progress() throws IOException {
    try {
      worker.progress();
    } catch (Exception e) { // Its signature says no more.
      throw new IOException("UCX makes no progress: error=" + e.getMessage(), e);
    }
  }

  private void await(Slot slot) throws IOException {
    UcpRequest request = slot.request;
    while (request != null && !request.isCompleted()) {
      progress();
    }
  }

  private void send(Slot slot, int size, long tag) throws IOException {
    UcpEndpoint peer = endpoint;
    if (peer == null) {
      throw new IOException("no endpoint: connect first");
    }
    await(slot);
    slot.request = peer.sendTaggedNonBlocking(slot.address, size, tag, ignoring);
  }

  @Override
  public void send() throws IOException {
    send(out[nextOut], bytes, MESSAGE_TAG);
    nextOut = nextOut + 1 == out.length ? 0 : nextOut + 1;
  }

  @Override
  public void receive() throws IOException {
    Slot slot = in[nextIn];
    await(slot);
    post(slot, bytes, MESSAGE_TAG);
    nextIn = nextIn + 1 == in.length ? 0 : nextIn + 1;
  }

  @Override
  public void sendCredit() throws IOException {
    send(creditOut, CREDIT_BYTES, CREDIT_TAG);
  }

  @Override
  public void receiveCredit() throws IOException {
    await(creditIn);
    post(creditIn, CREDIT_BYTES, CREDIT_TAG);
  }

  /** Leaves what is under way: the process ends. */
  @Override
  public void close() {}
}
