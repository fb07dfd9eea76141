package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about the protocols has a row for each, of what it declares. */
class ProtocolsPageTest {
  private static final Path PAGE = Path.of("../docs/protocols.md");
  private static final int DOCUMENTS = 8;
  private static final int NUMBERS = 8;
  private static final Set<String> HEXADECIMAL = Set.of("ethertype", "gre.proto", "ppp.protocol");

  private final Protocols protocols = Protocols.standard();

  private List<String> rows() {
    return protocols.all().stream()
        .map(Protocol::fields)
        .sorted(Comparator.comparing(Fields::name))
        .map(fields ->
            "| `%s` | %s | %s | %s |"
                .formatted(fields.name(), fields.title(), documents(fields), numbers(fields)))
        .toList();
  }

  private static String documents(Fields fields) {
    return some(
        fields.all().stream()
            .map(field ->
                field
                    .source()
                    .replaceFirst(
                        ",? (sections?|clauses?|chapters?|appendix|tables?|parts?) .*", ""))
            .distinct()
            .toList(),
        DOCUMENTS,
        "; ");
  }

  private String numbers(Fields fields) {
    Map<String, List<Long>> byTable = new TreeMap<>();
    protocols
        .bindings()
        .forEach((key, protocol) -> {
          if (protocol.fields().equals(fields)) {
            byTable.computeIfAbsent(key.table().name(), _ -> new ArrayList<>()).add(key.value());
          }
        });
    return byTable.entrySet().stream()
        .map(table ->
            "`%s` %s"
                .formatted(
                    table.getKey(),
                    some(
                        table.getValue().stream()
                            .sorted()
                            .map(number -> text(table.getKey(), number))
                            .toList(),
                        NUMBERS,
                        ", ")))
        .collect(Collectors.joining("; "));
  }

  private static String text(String table, long number) {
    return HEXADECIMAL.contains(table) ? "0x%04x".formatted(number) : "" + number;
  }

  private static String some(List<String> all, int most, String between) {
    String text = all.stream().limit(most).collect(Collectors.joining(between));
    return all.size() <= most ? text : text + between + "and " + (all.size() - most) + " more";
  }

  /** With -Dlinerate.protocols.write=true it writes them. */
  @Test
  void shouldHaveARowForEachProtocol() throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    if (Boolean.getBoolean("linerate.protocols.write")) {
      List<String> page = new ArrayList<>(lines);
      page.removeIf(line -> line.startsWith("| `"));
      page.addAll(page.indexOf("|---|---|---|---|") + 1, rows());
      Files.write(PAGE, page);
      return;
    }
    assertThat(lines)
        .as("docs/protocols.md; write it with -Dlinerate.protocols.write=true")
        .filteredOn(line -> line.startsWith("| `"))
        .isEqualTo(rows());
  }

  /** What is said of a field is not empty, and names a document. */
  @Test
  void shouldHaveAMeaningAndADocumentForEachField() {
    for (Protocol protocol : protocols.all()) {
      for (Field field : protocol.fields().all()) {
        assertThat(field.label()).as(field.name()).isNotBlank();
        assertThat(field.source()).as(field.name()).isNotBlank();
      }
    }
  }
}
