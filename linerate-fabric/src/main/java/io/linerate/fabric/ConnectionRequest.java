package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A peer that wants to connect: it waits until it is accepted or rejected, once. */
public final class ConnectionRequest {
  private final Listener listener;
  private final long info;
  private final byte[] data;
  private boolean isAnswered;

  ConnectionRequest(Listener listener, long info, byte[] data) {
    this.listener = listener;
    this.info = info;
    this.data = data;
  }

  /** What the peer has sent with it. Any thread may ask. */
  public byte[] data() {
    return data.clone();
  }

  /** How many bytes can go with an answer: at most 256, and fewer where the provider has less. */
  public int answerBytes() {
    listener.requireOpen();
    return listener.dataBytes();
  }

  /**
   * Takes the connection. It is connected when the peer knows of it: {@link
   * Connection#awaitConnected}.
   *
   * @param answer at most {@link #answerBytes} for the peer
   */
  public Connection accept(Bindings bindings, byte... answer) {
    FabricDomain domain = listener.domain();
    listener.requireOpen();
    bindings.requireFor(domain);
    begin(answer);
    return domain.connections().accept(info, listener.address(), bindings, answer);
  }

  /**
   * Refuses it.
   *
   * @param answer at most {@link #answerBytes} for the peer
   */
  public void reject(byte... answer) {
    begin(answer);
    listener.reject(info, answer);
  }

  /** Its listener ends. */
  void abandon() {
    if (!isAnswered) {
      reject();
    }
  }

  private void begin(byte[] answer) {
    listener.requireOpen();
    Connection.requireData(listener.dataBytes(), answer);
    if (isAnswered) {
      throw new FabricException(
          "a request for a connection was answered before: address=" + listener.address());
    }
    isAnswered = true;
    listener.forget(this);
  }

  static MemorySegment copy(Arena arena, byte[] data) {
    MemorySegment memory = arena.allocate(Math.max(1, data.length));
    MemorySegment.copy(data, 0, memory, ValueLayout.JAVA_BYTE, 0, data.length);
    return memory;
  }
}
