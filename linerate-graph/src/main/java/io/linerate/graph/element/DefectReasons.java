package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** A reason to drop for each thing that may be wrong with a packet's headers, by its name. */
final class DefectReasons {
  private static final Map<HeaderDefect, DropReason> REASONS = reasons();

  private DefectReasons() {}

  /** Of what was scanned last, for which the scan said that it is not sound. */
  static DropReason of(HeaderScanner scanner) {
    return of(scanner.defect());
  }

  static DropReason of(HeaderDefect defect) {
    return Objects.requireNonNull(REASONS.get(defect));
  }

  private static Map<HeaderDefect, DropReason> reasons() {
    Map<HeaderDefect, DropReason> reasons = new EnumMap<>(HeaderDefect.class);
    for (HeaderDefect defect : HeaderDefect.values()) {
      reasons.put(defect, DropReason.named(defect.name().toLowerCase(Locale.ROOT)));
    }
    return Collections.unmodifiableMap(reasons);
  }
}
