package io.linerate.program.run;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Lays out the help of a command so that it fits a screen: options of one kind stand in one row, in
 * the order in which they were written.
 */
final class HelpPage {
  private static final int WIDTH = 100;

  /** A longer left side has its description in the line below. */
  private static final int LEFT = 35;

  /**
   * Options or an argument, and what they are for.
   *
   * @param left as users write it: {@code --src RANGE, --dst RANGE}
   */
  record Row(String left, String description) {}

  private HelpPage() {}

  /** Makes this the help of a command. */
  static void lay(CommandSpec spec, List<Row> rows) {
    UsageMessageSpec usage = spec.usageMessage();
    usage.width(WIDTH);
    usage.exitCodeList(ExitStatus.meanings());
    Map<String, IHelpSectionRenderer> sections = usage.sectionMap();
    sections.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, _ -> "");
    sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> table(help, rows));
    sections.put(UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST, _ -> exitStatus(usage));
    usage.sectionMap(sections);
  }

  private static String table(Help help, List<Row> rows) {
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(LEFT, 2, Overflow.SPAN),
            new Column(WIDTH - LEFT, 1, Overflow.WRAP));
    table.indentWrappedLines = 0;
    for (Row row : rows) {
      table.addRowValues(
          help.colorScheme().optionText(row.left), help.colorScheme().text(row.description));
    }
    return table.toString();
  }

  private static String exitStatus(UsageMessageSpec usage) {
    return usage.exitCodeList().entrySet().stream()
        .map(status -> status.getKey() + " " + status.getValue())
        .collect(Collectors.joining(", ", "%nExit status: ".formatted(), ".%n".formatted()));
  }
}
