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
  /** Without a language; others are Java, XML and the like. */
  private static final Pattern BLOCK = Pattern.compile("(?m)^```\n(.*?)^```$", Pattern.DOTALL);

  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:\\./)?(linerate(?!: )|java|javac|mvn|cp|cd|cat|tar|podman|jcmd|perf|mount|sudo|apt|python3|dpdk-\\S+|linerate-\\S+/\\S+) .*");

  /** Behind at least two blanks, or one and a dash for a word of it. */
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

  /** The blocks of a page that have commands. */
  static List<List<Documented>> blocks(Path page) {
    List<List<Documented>> blocks = new ArrayList<>();
    try {
      Matcher block = BLOCK.matcher(Files.readString(page));
      while (block.find()) {
        List<Documented> commands =
            block
                .group(1)
                .lines()
                .filter(line -> COMMAND.matcher(line).matches())
                .map(Documented::of)
                .toList();
        if (!commands.isEmpty()) {
          blocks.add(commands);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return blocks;
  }
}
