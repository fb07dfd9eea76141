package io.linerate.dashboard.http;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A client, and what it may cost.
 *
 * @param isOwner whether it has shown the token
 */
record Client(Deadline deadline, AnswerBudget budget, boolean isOwner) {
  /**
   * In so small pieces the server below makes no copies that are worth counting: it keeps one twice
   * as long as the longest piece for each connection.
   */
  static final int SLICE_BYTES = 8 * 1024;

  /** Sends bytes; each slice must be read in time. */
  void send(OutputStream out, byte[] bytes, int lengthBytes) throws IOException {
    for (int at = 0; at < lengthBytes; at += SLICE_BYTES) {
      deadline.slice();
      out.write(bytes, at, Math.min(SLICE_BYTES, lengthBytes - at));
    }
    deadline.slice();
  }
}
