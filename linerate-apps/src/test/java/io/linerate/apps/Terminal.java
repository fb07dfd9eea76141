package io.linerate.apps;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jline.terminal.Size;
import org.jline.utils.ScreenTerminal;

/** A program in a pseudo-terminal, and what somebody would see there. Closing ends it. */
final class Terminal implements AutoCloseable {
  private static final long TIMEOUT_S = 180;

  private final Process process;
  private final ScreenTerminal screen;
  private final Thread reader;

  // Written by the thread that reads, read by the test.
  @SuppressWarnings("JdkObsolete")
  private final StringBuffer written = new StringBuffer();

  Terminal(int rows, int columns, Map<String, String> environment, List<String> command)
      throws IOException {
    List<String> words = new ArrayList<>();
    words.add("python3");
    words.add(Path.of("src/test/resources/io/linerate/apps/terminal.py").toString());
    words.add(String.valueOf(rows));
    words.add(String.valueOf(columns));
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(Map.of("TERM", "xterm-256color", "LC_ALL", "C.UTF-8"));
    builder.environment().putAll(environment);
    screen = new ScreenTerminal(columns, rows);
    process = builder.start();
    reader = Thread.ofPlatform().daemon().start(this::read);
  }

  private void read() {
    char[] some = new char[8_192];
    try (Reader in = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
      for (int n = in.read(some); n >= 0; n = in.read(some)) {
        String text = new String(some, 0, n);
        written.append(text);
        screen.write(text);
        String answer = screen.read();
        if (!answer.isEmpty()) {
          type(answer);
        }
      }
    } catch (IOException e) {
      written.append("[not readable: ").append(e.getMessage()).append(']');
    }
  }

  void type(String keys) throws IOException {
    order("keys " + HexFormat.of().formatHex(keys.getBytes(StandardCharsets.UTF_8)));
  }

  void resize(int rows, int columns) throws IOException {
    screen.setSize(Size.of(columns, rows));
    order("size " + rows + " " + columns);
  }

  private synchronized void order(String line) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
  }

  /** The rows of the screen, without the blanks at their ends. */
  List<String> rows() {
    int columns = screen.getColumns();
    int rows = screen.getRows();
    long[] cells = new long[columns * rows];
    screen.dump(cells, 0, 0, rows, columns, new int[2]);
    List<String> lines = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        int character = ScreenTerminal.cellCodePoint(cells[row * columns + column]);
        line.appendCodePoint(character == 0 ? ' ' : character);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  /** Waits until the screen shows something, and returns its rows. */
  List<String> await(Predicate<List<String>> shown) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    List<String> rows = rows();
    while (!shown.test(rows)) {
      if (System.nanoTime() > endNs || !process.isAlive()) {
        throw new AssertionError("not shown; there is:\n" + String.join("\n", rows));
      }
      Thread.sleep(20);
      rows = rows();
    }
    return rows;
  }

  /** Waits until a row has this in it. */
  List<String> await(String part) throws InterruptedException {
    return await(rows -> rows.stream().anyMatch(row -> row.contains(part)));
  }

  /** All that was written, with what moves the cursor. */
  String written() {
    return written.toString();
  }

  /** SIGTERM for the program in the terminal. */
  void terminate() {
    process.children().forEach(ProcessHandle::destroy);
  }

  /** Waits for its end: {@code status N restored} when it left the terminal as it was. */
  String end() throws IOException, InterruptedException {
    if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
      throw new AssertionError("program does not end:\n" + String.join("\n", rows()));
    }
    reader.join();
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
