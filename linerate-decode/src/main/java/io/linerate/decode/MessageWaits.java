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

  MessageWait of(Direction direction) {
    return direction == Direction.TO_SERVER ? toServer : toClient;
  }

  /** Messages may have passed unseen: which answers are whose is not known any more. */
  void forgetQuestions() {
    toServer.questions.clear();
    toClient.questions.clear();
  }

  /** Those of the streams that are followed. */
  static final class Pool {
    private @Nullable MessageWaits free;

    /** That of a stream: its attachment, nothing else may be. */
    MessageWaits of(TcpStream stream) {
      MessageWaits waits = (MessageWaits) stream.attachment();
      if (waits == null) {
        waits = unused();
        waits.toServer.begin();
        waits.toClient.begin();
        stream.attachment(waits);
      }
      return waits;
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
