package io.linerate.apps.fabric;

import com.google.gson.stream.JsonWriter;
import io.linerate.fabric.Capability;
import io.linerate.fabric.Fabric;
import io.linerate.fabric.ProviderInfo;
import io.linerate.program.run.CommandException;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** {@code linerate fabric info}: the providers, and what they can do. */
record ProviderList(boolean isJson) {
  private static final long UNLIMITED = Long.MAX_VALUE;

  int print(Console console) {
    String problem = Fabric.problem();
    if (!problem.isEmpty()) {
      throw new CommandException("the fabric is unavailable: " + problem);
    }
    List<ProviderInfo> providers = Fabric.providers();
    if (isJson) {
      writeJson(console.out(), providers);
    } else {
      print(console.out(), providers);
    }
    console.out().flush();
    return ExitStatus.DONE;
  }

  private static void print(PrintStream out, List<ProviderInfo> providers) {
    out.println("libfabric " + Fabric.version());
    out.printf(
        "  %-12s %-12s %-12s %10s %8s %6s %6s %4s  %s%n",
        "provider", "device", "endpoints", "message", "inject", "send", "recv", "seg", "can");
    for (ProviderInfo provider : providers) {
      out.printf(
          "  %-12s %-12s %-12s %10s %8s %6s %6s %4d  %s%n",
          provider.name(),
          provider.device(),
          provider.kind(),
          size(provider.messageBytes()),
          size(provider.injectBytes()),
          size(provider.sendQueue()),
          size(provider.receiveQueue()),
          provider.segments(),
          provider.capabilities().stream()
              .map(Capability::toString)
              .collect(Collectors.joining(" ")));
    }
  }

  private static String size(long bytes) {
    return bytes == UNLIMITED ? "any" : Long.toString(bytes);
  }

  private static void writeJson(PrintStream out, List<ProviderInfo> providers) {
    try {
      JsonWriter json = new JsonWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
      json.setIndent("  ");
      json.beginObject();
      json.name("libfabric").value(Fabric.version());
      json.name("providers").beginArray();
      for (ProviderInfo provider : providers) {
        write(json, provider);
      }
      json.endArray();
      json.endObject();
      json.flush();
      out.println();
    } catch (IOException e) {
      throw new CommandException("cannot write the result: reason=" + e.getMessage());
    }
  }

  private static void write(JsonWriter json, ProviderInfo provider) throws IOException {
    json.beginObject();
    json.name("provider").value(provider.name());
    json.name("device").value(provider.device());
    json.name("endpoints").value(provider.kind().toString());
    json.name("capabilities").beginArray();
    for (Capability capability : provider.capabilities()) {
      json.value(capability.toString());
    }
    json.endArray();
    number(json, "messageBytes", provider.messageBytes());
    number(json, "injectBytes", provider.injectBytes());
    number(json, "sendQueue", provider.sendQueue());
    number(json, "receiveQueue", provider.receiveQueue());
    json.name("segments").value(provider.segments());
    json.name("immediateBytes").value(provider.immediateBytes());
    json.name("sharedReceiveContexts").value(provider.sharedReceiveContexts());
    json.name("counters").value(provider.counters());
    json.name("linkMtuBytes").value(provider.linkMtuBytes());
    json.name("linkBitsPerSecond").value(provider.linkBitsPerSecond());
    json.endObject();
  }

  /** Left out where there is no limit. */
  private static void number(JsonWriter json, String name, long value) throws IOException {
    if (value != UNLIMITED) {
      json.name(name).value(value);
    }
  }
}
