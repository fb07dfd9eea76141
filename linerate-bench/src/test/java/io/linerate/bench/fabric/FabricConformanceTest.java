package io.linerate.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.fabric.Capability;
import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** linerate-fabric and a C program on libfabric, on the same wire: each as the other's peer. */
class FabricConformanceTest {
  /** About where messages go another way: injected, eager, in parts, fetched by the peer. */
  private static final TwinMessages MESSAGES =
      new TwinMessages(
          7, 3, List.of(0, 1, 3, 63, 64, 65, 4095, 4096, 4097, 16_384, 65_536, 1 << 20));

  private static final TwinMessages IN_MEMORY =
      new TwinMessages(7, 5, List.of(200_000, 1, 8, 4096, 4097, 65_536));

  private static final Capability[] REMOTE = {Capability.REMOTE_MEMORY};
  private static final Capability[] ATOMICS = {Capability.REMOTE_MEMORY, Capability.ATOMICS};

  @ParameterizedTest
  @EnumSource
  void shouldBeReturnedWhatItSendsToTheCProgram(Provider provider)
      throws IOException, InterruptedException {
    TwinPair pair = pair(provider);
    TwinPair.End end =
        pair.serve(
            "echo",
            MESSAGES.options(),
            isDone -> {
              try (JavaTwin client = JavaTwin.client(own(provider), there(provider, pair))) {
                client.echo(false, MESSAGES);
                client.linger(isDone);
              }
            });
    requireVerified(end, MESSAGES.count());
  }

  @ParameterizedTest
  @EnumSource
  void shouldReturnWhatTheCProgramSends(Provider provider)
      throws IOException, InterruptedException {
    TwinPair pair = pair(provider);
    try (JavaTwin server = JavaTwin.server(there(provider, pair))) {
      TwinPair.End end =
          pair.ask(
              "echo",
              MESSAGES.options(),
              server.name(),
              isDone -> {
                server.meet();
                server.echo(true, MESSAGES);
                server.linger(isDone);
              });
      requireVerified(end, MESSAGES.count());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP_RXM"})
  void shouldBeReturnedByTagWhatItSendsToTheCProgram(Provider provider)
      throws IOException, InterruptedException {
    TwinPair pair = pair(provider);
    TwinPair.End end =
        pair.serve(
            "tagged",
            MESSAGES.options(),
            isDone -> {
              try (JavaTwin client =
                  JavaTwin.client(own(provider), there(provider, pair), Capability.TAGGED)) {
                client.tagged(false, MESSAGES);
                client.linger(isDone);
              }
            });
    requireVerified(end, MESSAGES.count());
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP_RXM"})
  void shouldReturnByTagWhatTheCProgramSends(Provider provider)
      throws IOException, InterruptedException {
    TwinPair pair = pair(provider);
    try (JavaTwin server = JavaTwin.server(there(provider, pair), Capability.TAGGED)) {
      TwinPair.End end =
          pair.ask(
              "tagged",
              MESSAGES.options(),
              server.name(),
              isDone -> {
                server.meet();
                server.tagged(true, MESSAGES);
                server.linger(isDone);
              });
      requireVerified(end, MESSAGES.count());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP", "TCP_RXM"})
  void shouldWorkInTheMemoryOfTheCProgram(Provider provider)
      throws IOException, InterruptedException {
    TwinPair pair = pair(provider);
    TwinPair.End end =
        pair.serve(
            "target",
            IN_MEMORY.options(),
            isDone -> {
              try (JavaTwin client =
                  JavaTwin.client(own(provider), there(provider, pair), capabilities(provider))) {
                client.remote(IN_MEMORY, hasAtomics(provider));
                client.linger(isDone);
              }
            });
    assertThat(end.status()).as(end.said()).isZero();
  }

  /** Not on shm: the C program has virtual addresses there, by which it looks at no key. */
  @ParameterizedTest
  @EnumSource(names = {"TCP", "TCP_RXM"})
  void shouldLetTheCProgramWorkInItsMemory(Provider provider)
      throws IOException, InterruptedException {
    TwinPair pair = pair(provider);
    try (JavaTwin server = JavaTwin.server(there(provider, pair), capabilities(provider))) {
      TwinPair.End end =
          pair.ask(
              "rma",
              IN_MEMORY.options(),
              server.name(),
              isDone -> {
                server.meet();
                server.target(IN_MEMORY);
                server.linger(isDone);
              });
      assertThat(end.status()).as(end.said()).isZero();
      assertThat(json(end).get("atomics").getAsBoolean()).isEqualTo(hasAtomics(provider));
    }
  }

  private static TwinPair pair(Provider provider) {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    return new TwinPair(provider);
  }

  private static boolean hasAtomics(Provider provider) {
    return provider != Provider.TCP;
  }

  private static Capability[] capabilities(Provider provider) {
    return hasAtomics(provider) ? ATOMICS : REMOTE;
  }

  private static FabricAddress own(Provider provider) {
    return address(
        provider,
        provider == Provider.SHM
            ? FabricTwin.SHM_PREFIX + Long.toHexString(System.nanoTime())
            : Provider.freeAddress());
  }

  private static FabricAddress there(Provider provider, TwinPair pair) {
    return address(provider, pair.address());
  }

  private static FabricAddress address(Provider provider, String where) {
    return FabricAddress.parse(provider.title().replace(";ofi_", "+") + ":" + where);
  }

  private static void requireVerified(TwinPair.End end, int messages) {
    assertThat(end.status()).as(end.said()).isZero();
    assertThat(json(end).get("messages").getAsInt()).isEqualTo(messages);
    assertThat(json(end).get("verified").getAsBoolean()).isTrue();
  }

  private static JsonObject json(TwinPair.End end) {
    String line = end.said().lines().filter(each -> each.startsWith("{")).findFirst().orElseThrow();
    return JsonParser.parseString(line).getAsJsonObject();
  }
}
