package io.linerate.apps.transfer;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.TextFile;
import io.linerate.stream.codec.Compression;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * What is done with which files: {@code WHAT...: DO...}, of which the first that matches counts.
 *
 * <pre>
 * *.key: encrypt into=secret
 * size>1GiB owner=backup: compress=zstd:9
 * photos/**: compress=none
 * </pre>
 *
 * docs/transfer.md has all that can be said.
 */
final class SendRules {
  private static final Pattern COLON = Pattern.compile(":(?:\\s+|$)");
  private static final Pattern SIZE = Pattern.compile("size([<>])([0-9]{1,15})([kMGT]i?)?B?");
  private static final String OWNER = "owner=";
  private static final String COMPRESS = "compress=";
  private static final String INTO = "into=";

  private final Treatment others;
  private final List<Rule> rules = new ArrayList<>();
  private boolean isLinkSecret;

  /**
   * What rules look at.
   *
   * @param name as the receiver is to call it
   * @param owner looked up for who asks
   */
  record Candidate(Path name, long size, Supplier<String> owner) {}

  private record Rule(List<Predicate<Candidate>> conditions, Treatment treatment) {}

  /**
   * @param others what is done with files that no rule matches
   */
  SendRules(Treatment others) {
    this.others = others;
  }

  /**
   * Adds the rules of a file, one in each line; {@code #} begins a comment.
   *
   * @throws ConfigException for all that is wrong: a line each
   */
  void addAll(Path file) {
    TextFile.statements(
        file.toString(), TextFile.read("rules file", file), (text, line) -> add(text));
  }

  /**
   * Adds a rule behind those that there are.
   *
   * @throws ConfigException if it is none
   */
  void add(String text) {
    Matcher colon = COLON.matcher(text);
    if (!colon.find()) {
      throw new ConfigException(
          "no rule: %s; write what matches, a colon and what is done, such as *.key: encrypt"
              .formatted(text));
    }
    List<String> what = words(text.substring(0, colon.start()));
    List<String> actions = words(text.substring(colon.end()));
    if (what.isEmpty() || actions.isEmpty()) {
      throw new ConfigException(
          "half a rule: %s; write * for all files, and encrypt, compress=NAME or into=DIRECTORY"
              .formatted(text));
    }
    rules.add(new Rule(what.stream().map(SendRules::condition).toList(), treatment(actions)));
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.strip().split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }

  private static Predicate<Candidate> condition(String word) {
    if (word.startsWith("size<") || word.startsWith("size>")) {
      return size(word);
    }
    if (word.startsWith(OWNER)) {
      String owner = word.substring(OWNER.length());
      return file -> file.owner.get().equals(owner);
    }
    try {
      PathMatcher glob = FileSystems.getDefault().getPathMatcher("glob:" + word);
      return word.contains("/")
          ? file -> glob.matches(file.name)
          : file -> glob.matches(file.name.getFileName());
    } catch (PatternSyntaxException e) {
      throw new ConfigException(
          "no pattern of names: %s, error=%s; write one such as *.key or photos/**"
              .formatted(word, e.getDescription()));
    }
  }

  private static Predicate<Candidate> size(String word) {
    Matcher size = SIZE.matcher(word);
    if (!size.matches()) {
      throw new ConfigException(
          "no size: %s; write size>1GiB or size<64kB, without blanks".formatted(word));
    }
    String unit = Optional.ofNullable(size.group(3)).orElse("");
    int power = unit.isEmpty() ? 0 : "kMGT".indexOf(unit.charAt(0)) + 1;
    double factor = Math.pow(unit.endsWith("i") ? 1_024 : 1_000, power);
    double bytes = Long.parseLong(size.group(2)) * factor;
    return size.group(1).equals(">") ? file -> file.size > bytes : file -> file.size < bytes;
  }

  private Treatment treatment(List<String> words) {
    boolean isSecret = words.contains("encrypt");
    Treatment treatment =
        new Treatment(
            isSecret ? Optional.empty() : others.compression(), others.level(), isSecret, "");
    for (String word : words) {
      if (word.startsWith(COMPRESS)) {
        treatment = compressed(treatment, "compress", word.substring(COMPRESS.length()));
      } else if (word.startsWith(INTO)) {
        treatment = new Treatment(treatment.compression(), treatment.level(), isSecret, into(word));
      } else if (!word.equals("encrypt")) {
        throw new ConfigException(
            "nothing that a rule does: %s; write encrypt, compress=NAME[:LEVEL] or into=DIRECTORY"
                .formatted(word));
      }
    }
    return treatment;
  }

  private static String into(String word) {
    String text = word.substring(INTO.length());
    try {
      Path path = Path.of(text);
      if (!text.isEmpty()
          && !path.isAbsolute()
          && path.normalize().toString().equals(text)
          && !path.startsWith("..")) {
        return text;
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw new ConfigException(
        "no directory below the receiver's: %s; write one such as into=secret/keys"
            .formatted(word));
  }

  /** With the compression that a text names. */
  static Treatment compressed(Treatment treatment, String option, String text) {
    String[] words = text.split(":", 2);
    Optional<Compression> compression = compression(option, words[0]);
    int level = compression.isPresent() && words.length > 1 ? level(option, words) : 1;
    compression.ifPresent(one -> one.open(level).close()); // Says which levels there are.
    return new Treatment(compression, level, treatment.isSecret(), treatment.into());
  }

  private static Optional<Compression> compression(String option, String name) {
    if (name.equals("none")) {
      return Optional.empty();
    }
    Compression compression =
        Arrays.stream(Compression.values())
            .filter(one -> one.label().equals(name))
            .findFirst()
            .orElseThrow(() ->
                new ConfigException(
                    "no such compression: %s %s; write none, %s"
                        .formatted(
                            option,
                            name,
                            Arrays.stream(Compression.values())
                                .map(Compression::label)
                                .collect(Collectors.joining(", ")))));
    if (!compression.isAvailable()) {
      throw new ConfigException(compression.problem());
    }
    return Optional.of(compression);
  }

  private static int level(String option, String[] words) {
    try {
      return Integer.parseInt(words[1]);
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "no level of compression: %s %s:%s; write a number, such as %s:3"
              .formatted(option, words[0], words[1], words[0].toLowerCase(Locale.ROOT)));
    }
  }

  /** Whether a rule says that files are encrypted by themselves. */
  boolean hasSecrets() {
    return rules.stream().anyMatch(rule -> rule.treatment.isSecret());
  }

  /** The link encrypts everything: then files are not encrypted by themselves. */
  void leaveSecretsToLink() {
    isLinkSecret = true;
  }

  /** What is done with a file. */
  Treatment treatment(Candidate file) {
    Treatment said = said(file);
    return isLinkSecret
        ? new Treatment(said.compression(), said.level(), false, said.into())
        : said;
  }

  private Treatment said(Candidate file) {
    return rules.stream()
        .filter(rule -> rule.conditions.stream().allMatch(one -> one.test(file)))
        .findFirst()
        .map(Rule::treatment)
        .orElse(others);
  }
}
