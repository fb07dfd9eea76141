package io.linerate.program.run;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;

/**
 * Where results are written. What cannot be written is said once, before {@link
 * java.io.PrintStream#checkError} tells. A reader that has seen enough, such as {@code head}, loses
 * nothing: what is written behind its back is thrown away.
 */
public final class ResultOutput extends FilterOutputStream {
  /** How the system names EPIPE. */
  private static final String CLOSED_PIPE = "Broken pipe";

  private final Consumer<String> say;
  private boolean isSaid;
  private volatile boolean isAbandoned;

  /**
   * @param say given one sentence, at most once
   */
  public ResultOutput(OutputStream out, Consumer<String> say) {
    super(out);
    this.say = say;
  }

  /** Whether its reader has seen enough. Any thread. */
  public boolean isAbandoned() {
    return isAbandoned;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      if (CLOSED_PIPE.equals(e.getMessage())) {
        isAbandoned = true;
        return;
      }
      if (!isSaid) {
        isSaid = true;
        say.accept(
            "cannot write the result: reason=" + e.getMessage() + "; write it to another file");
      }
      throw e;
    }
  }
}
