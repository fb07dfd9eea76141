import io.linerate.core.config.*;
import io.linerate.program.*;
import io.linerate.stream.*;

void main(String[] arguments) {
  Program.named("words")
      .describedAs("Says how often which word stands in a file.")
      .option("--file", "FILE", "Which: README.md unless given.")
      .example("--file README.md")
      .main(arguments, this::wire);
}

void wire(Setup setup) {
  Path file = Path.of(setup.option("--file").orElse("README.md"));
  Window<String> million = Window.count(1_000_000); // Of each word; shorter when the file ends.
  setup.graph(
      Streams.graph(s ->
          s.objects("lines", String.class, Sources.objects(() -> lines(file)))
              .flatMap("words", String.class, () -> (line, out) -> words(line).forEach(out))
              .keyBy(String.class, word -> word)
              .window("counts", million, Aggregate.count())
              .results()
              .sink("print", result -> IO.println(result.value() + " " + result.key()))));
}

Stream<String> lines(Path file) {
  try {
    return Files.lines(file);
  } catch (IOException e) {
    throw new ConfigException("no file to read: file=%s, why=%s".formatted(file, e));
  }
}

Stream<String> words(String line) {
  return Pattern.compile("\\p{L}+").matcher(line).results().map(MatchResult::group);
}
