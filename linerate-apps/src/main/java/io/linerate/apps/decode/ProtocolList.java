package io.linerate.apps.decode;

import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Protocols;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What can be asked for. */
final class ProtocolList {
  private ProtocolList() {}

  /** A line a field: its name, kind, and what it means, with tabs between. */
  static void printFields(Protocols protocols, PrintStream out) {
    for (Fields fields : sorted(protocols)) {
      for (Field field : fields.all()) {
        out.print(
            String.join(
                "\t",
                field.name(),
                field.kind().name().toLowerCase(Locale.ROOT),
                fields.title() + ": " + field.label() + " (" + field.source() + ")\n"));
      }
      for (Fields.Alias alias : fields.aliases()) {
        List<String> names = alias.fields().stream().map(Field::name).toList();
        out.print(String.join("\t", alias.name(), "alias", String.join(", ", names) + "\n"));
      }
    }
  }

  /** A line a protocol: its name and what it is, with a tab between. */
  static void printProtocols(Protocols protocols, PrintStream out) {
    for (Fields fields : sorted(protocols)) {
      out.print(fields.name() + "\t" + fields.title() + "\n");
    }
  }

  private static List<Fields> sorted(Protocols protocols) {
    return protocols.all().stream()
        .map(Protocol::fields)
        .sorted(Comparator.comparing(Fields::name))
        .toList();
  }
}
