package io.linerate.decode;

import io.linerate.decode.reassembly.Direction;
import io.linerate.decode.reassembly.TcpStream;
import org.jspecify.annotations.Nullable;

/** The messages of both directions of a stream that are waited for. Used again and again. */
final class MessageWaits {
  private final MessageWait toServer = new MessageWait();
  private final MessageWait toClient = new MessageWait();

  /** Of those that are not used, the one behind it. */
  private @Nullable MessageWaits nextFree;

  private MessageWait of(Direction direction) {
    return direction == Direction.TO_SERVER ? toServer : toClient;
  }

  /** Those of the streams that are followed. */
  static final class Pool {
    private @Nullable MessageWaits free;

    /** That of a stream: its attachment, nothing else may be. */
    MessageWait of(TcpStream stream, Direction direction) {
      MessageWaits waits = (MessageWaits) stream.attachment();
      if (waits == null) {
        waits = unused();
        waits.toServer.begin();
        waits.toClient.begin();
        stream.attachment(waits);
      }
      return waits.of(direction);
    }

    private MessageWaits unused() {
      MessageWaits unused = free;
      if (unused == null) {
        return new MessageWaits();
      }
      free = unused.nextFree;
      return unused;
    }

    /** A stream has ended. */
    void release(TcpStream stream) {
      MessageWaits waits = (MessageWaits) stream.attachment();
      if (waits != null) {
        stream.attachment(null);
        waits.nextFree = free;
        free = waits;
      }
    }
  }
}
