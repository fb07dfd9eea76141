package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;

/** The virtual machine. */
final class JvmView implements SampleView {
  private static final double NS_PER_MS = 1e6;

  @Override
  public void writeMembers(JsonWriter json, SampleTable table) throws IOException {
    json.name("jvm");
    if (!table.has("linerate_jvm_heap_used_bytes")) {
      json.nullValue();
      return;
    }
    json.beginObject();
    number(json, table, "heapUsedBytes", "linerate_jvm_heap_used_bytes");
    number(json, table, "heapMaxBytes", "linerate_jvm_heap_max_bytes");
    number(json, table, "gcCount", "linerate_jvm_gc_pauses_total");
    json.name("gcPauseMs").value(table.value("linerate_jvm_gc_pause_seconds_total") / NS_PER_MS);
    number(json, table, "safepoints", "linerate_jvm_safepoints_total");
    number(json, table, "workerAllocatedBytes", "linerate_worker_allocated_bytes_total");
    number(json, table, "deoptimisations", "linerate_jvm_deoptimisations_total");
    json.endObject();
  }

  /** All samples of a name together, or null without any. */
  private static void number(JsonWriter json, SampleTable table, String member, String name)
      throws IOException {
    json.name(member).value(table.has(name) ? Long.valueOf(table.value(name)) : null);
  }
}
