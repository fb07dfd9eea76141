package io.linerate.systemtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The blocks of commands in the documentation. */
final class DocumentedCommands {
  private static final String FENCE = "```";

  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:\\./)?(linerate(?!:)|java|javac|mvn|cp|cd|cat|tar|podman|jcmd|perf|mount|sudo|apt|python3|dpdk-\\S+|linerate-\\S+/\\S+) .*");

  private static final Pattern COMMENT = Pattern.compile("\\s+# (.*)$");

  private DocumentedCommands() {}

  /**
   * A command.
   *
   * @param line without its comment
   * @param comment "" for none
   */
  record Documented(String line, String comment) {
    static Documented of(String text) {
      Matcher comment = COMMENT.matcher(text);
      return comment.find()
          ? new Documented(text.substring(0, comment.start()).strip(), comment.group(1))
          : new Documented(text.strip(), "");
    }

    /** What the page says that it needs; "" if nothing. */
    String needs() {
      int at = comment.indexOf("needs ");
      return at < 0 ? "" : comment.substring(at);
    }

    @Override
    public String toString() {
      return line;
    }
  }

  /** The pages that tell how Linerate is used. */
  static List<Path> pages() {
    Path root = Lab.project();
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      return Stream.concat(
              Stream.of(root.resolve("README.md"), root.resolve("CONTRIBUTING.md")),
              docs.filter(page -> page.toString().endsWith(".md")).sorted())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The blocks of a page that have commands: those without a language. */
  static List<List<Documented>> blocks(Path page) {
    List<List<Documented>> blocks = new ArrayList<>();
    List<Documented> block = new ArrayList<>();
    String language = null;
    for (String line : lines(page)) {
      if (line.startsWith(FENCE)) {
        language = language == null ? line.substring(FENCE.length()) : null;
        if (!block.isEmpty()) {
          blocks.add(List.copyOf(block));
          block.clear();
        }
      } else if ("".equals(language) && COMMAND.matcher(line).matches()) {
        block.add(Documented.of(line));
      }
    }
    return blocks;
  }

  private static List<String> lines(Path page) {
    try {
      return Files.readAllLines(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
