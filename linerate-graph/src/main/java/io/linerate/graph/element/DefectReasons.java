package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

  /**
   * Sends the packets that come {@code in} to the output {@code bad}, with their defect as the
   * reason to drop them, and those that have none {@code out}.
   */
  static void sort(Wiring wiring, Function<Packet, @Nullable DropReason> check) {
    Outlet out = wiring.output("out");
    Outlet bad = wiring.output("bad");
    wiring.each(
        "in",
        packet -> {
          DropReason defect = check.apply(packet);
          if (defect != null) {
            bad.send(packet, defect);
          }
        },
        out);
  }

  private static Map<HeaderDefect, DropReason> reasons() {
    Map<HeaderDefect, DropReason> reasons = new EnumMap<>(HeaderDefect.class);
    for (HeaderDefect defect : HeaderDefect.values()) {
      reasons.put(defect, DropReason.named(defect.name().toLowerCase(Locale.ROOT)));
    }
    return Collections.unmodifiableMap(reasons);
  }
}
