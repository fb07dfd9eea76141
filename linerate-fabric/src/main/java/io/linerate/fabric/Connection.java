package io.linerate.fabric;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint with one peer (FI_EP_MSG): reliable and in order. {@link FabricDomain#connect} begins
 * one, {@link ConnectionRequest#accept} takes one. What is received may be posted before it is
 * connected; what is sent may not.
 */
public final class Connection extends Endpoint {
  /** How far a connection is. */
  public enum State {
    CONNECTING,
    CONNECTED,
    /** The peer has rejected it, or nobody listens there: {@link #error} tells. */
    REFUSED,
    /** The peer has ended it, or is lost: {@link #error} tells. */
    DISCONNECTED
  }

  private static final long NO_PEER = 0;

  private final FabricAddress remote;
  private final long id;
  private State state = State.CONNECTING;
  private @Nullable FabricError error;
  private byte[] data = {};

  private Connection(
      FabricDomain domain, Bindings bindings, long handle, long id, FabricAddress remote) {
    super(domain, bindings, handle);
    this.id = id;
    this.remote = remote;
  }

  /**
   * An endpoint that is neither connected nor accepted yet.
   *
   * @param info what it is made of: its destination, or the peer's request
   */
  static Connection open(FabricDomain domain, Bindings bindings, long info, FabricAddress remote) {
    long id = domain.connections().events().nextId();
    String what = "a connection cannot be opened: address=" + remote + ",";
    long handle = NativeObject.open(what, FabricFunction.ENDPOINT, domain.handle(), info, id);
    try {
      Bindings.bind(handle, "event queue", domain.connections().events().handle(), 0);
      bindings.bind(handle);
      NativeObject.check(what, FabricFunction.ENABLE.call(handle));
      setLeastMultiReceive(domain.options(), handle);
    } catch (RuntimeException e) {
      domain.nativeClosing().closeEndpoint(handle, false);
      throw e;
    }
    Connection connection = new Connection(domain, bindings, handle, id, remote);
    domain.connections().events().add(id, connection);
    return connection;
  }

  /** How far it is, as of now. */
  public State state() {
    requireOpen();
    domain().connections().events().poll();
    return state;
  }

  /** Why it is {@link State#REFUSED} or {@link State#DISCONNECTED}; null otherwise. */
  public @Nullable FabricError error() {
    domain().requireOwner();
    return error;
  }

  /** What the peer has sent with its answer: when it has accepted, or rejected. */
  public byte[] data() {
    domain().requireOwner();
    return data.clone();
  }

  /**
   * Where the peer is, as it was asked for; for what was accepted, where it was listened. Any
   * thread may ask.
   */
  public FabricAddress remote() {
    return remote;
  }

  /**
   * Waits until it is connected.
   *
   * @throws FabricException if it is refused, or time is over, or the thread is interrupted
   */
  public Connection awaitConnected(Duration timeout) {
    long start = System.nanoTime();
    long timeoutNs = Waiting.nanos(timeout);
    while (state() == State.CONNECTING) {
      if (System.nanoTime() - start > timeoutNs || Thread.currentThread().isInterrupted()) {
        throw new FabricException(
            "no connection within the time: address=%s, timeout=%s; see whether the peer is there and accepts"
                .formatted(remote, timeout));
      }
      queue().progress();
      domain().connections().events().sleep(Duration.ofMillis(1));
    }
    FabricError why = error;
    if (state != State.CONNECTED && why != null) {
      throw new FabricException(
          "no connection: address=%s, reason=%s; see whether the peer listens there and accepts"
              .formatted(remote, why.text()));
    }
    return this;
  }

  void connected(byte[] answer) {
    state = State.CONNECTED;
    data = answer;
  }

  void ended(State how, FabricError why, byte[] answer) {
    if (state == State.CONNECTING || state == State.CONNECTED) {
      state = how;
      error = why;
      data = answer.length > 0 ? answer : data;
      queue().tell(this, why);
    }
  }

  private void requireConnected() {
    requireOpen();
    if (state != State.CONNECTED) {
      domain().connections().events().poll();
    }
    if (state != State.CONNECTED) {
      throw new FabricException(
          "not connected: address=%s, state=%s%s; wait for the connection, or make another"
              .formatted(remote, state, error == null ? "" : ", reason=" + error.text()));
    }
  }

  /** Sends a descriptor's memory. */
  public boolean send(Descriptor descriptor) {
    requireConnected();
    return doSend(descriptor, null);
  }

  /** Sends a descriptor's memory with a tag. */
  public boolean sendTagged(Descriptor descriptor, long tag) {
    requireConnected();
    return doSendTagged(descriptor, null, tag);
  }

  /**
   * Sends a message of at most {@link ProviderInfo#injectBytes}: its memory, which need not be
   * registered, is free when this returns, and no completion tells of it. An array of the heap
   * ({@link MemorySegment#ofArray}) is read where it is; no collection begins meanwhile.
   */
  public boolean inject(MemorySegment message) {
    requireConnected();
    return doInject(message, NO_PEER);
  }

  /** As {@link #inject(MemorySegment)}, of a range of registered memory: the fastest way. */
  public boolean inject(MemoryRegion region, long offset, long bytes) {
    requireConnected();
    return doInject(region, offset, bytes, NO_PEER);
  }

  /** Writes the peer's memory: the descriptor's memory goes to {@code offset} of the region. */
  public boolean write(Descriptor descriptor, RemoteRegion region, long offset) {
    requireConnected();
    return doWrite(descriptor, null, region, offset);
  }

  /** Reads the peer's memory: from {@code offset} of the region on into the descriptor's memory. */
  public boolean read(Descriptor descriptor, RemoteRegion region, long offset) {
    requireConnected();
    return doRead(descriptor, null, region, offset);
  }

  /**
   * Ends it in an orderly way: the peer is told. What was sent before and is complete arrives.
   *
   * @see #close
   */
  public void shutdown() {
    requireOpen();
    if (state == State.CONNECTED) {
      FabricFunction.SHUTDOWN.call(handle());
      state = State.DISCONNECTED;
      error = FabricError.of(FabricError.Kind.DISCONNECTED, "this side has ended the connection");
    }
  }

  @Override
  void beforeClose() {
    if (state == State.CONNECTED) {
      FabricFunction.SHUTDOWN.call(handle());
    }
    domain().connections().events().remove(id);
  }

  /**
   * @param most that the provider lets go with a request, or its answer
   */
  static void requireData(int most, byte... data) {
    if (data.length > most) {
      throw new FabricException(
          "connection data is too long: length=%d, limit=%d; send it as a message"
              .formatted(data.length, most));
    }
  }
}
