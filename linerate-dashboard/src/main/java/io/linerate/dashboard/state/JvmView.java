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
    table.optional(json, "heapUsedBytes", "linerate_jvm_heap_used_bytes");
    table.optional(json, "heapMaxBytes", "linerate_jvm_heap_max_bytes");
    table.optional(json, "gcCount", "linerate_jvm_gc_pauses_total");
    json.name("gcPauseMs").value(table.value("linerate_jvm_gc_pause_seconds_total") / NS_PER_MS);
    table.optional(json, "safepoints", "linerate_jvm_safepoints_total");
    table.optional(json, "workerAllocatedBytes", "linerate_worker_allocated_bytes_total");
    table.optional(json, "deoptimisations", "linerate_jvm_deoptimisations_total");
    json.endObject();
  }
}
