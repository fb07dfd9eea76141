package io.linerate.fabric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Whether a domain's thread is inside a function of the data path: a count that each call makes odd
 * when it enters, and even when it has returned, by plain stores. {@link NativeWatch} looks at it
 * now and then.
 */
final class CallCount {
  private static final VarHandle COUNT = countHandle();

  private final FabricDomain domain;

  @SuppressWarnings("unused") // Read by its handle.
  private int count;

  /** Of the watch alone. */
  private int lastSeen;

  private int rounds;

  CallCount(FabricDomain domain) {
    this.domain = domain;
  }

  private static VarHandle countHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(CallCount.class, "count", int.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no field: name=count", e);
    }
  }

  void enter() {
    count++;
  }

  void leave() {
    count++;
  }

  // ---- for the watch ----

  /**
   * How often it was looked at, one after the other, during the same call; 0 where there is none.
   */
  int rounds() {
    int now = (int) COUNT.getOpaque(this);
    rounds = (now & 1) == 1 && now == lastSeen ? rounds + 1 : 0;
    lastSeen = now;
    return rounds;
  }

  FabricDomain domain() {
    return domain;
  }

  /** What it is at, as threads' stacks tell: {@code call=post, thread=main}. */
  String text() {
    String where = "provider=" + domain.address().provider() + ", address=" + domain.address();
    return Stream.concat(
            Stream.of(where), stacks().map(CallCount::callOf).filter(s -> !s.isEmpty()))
        .reduce((a, b) -> a + ", " + b)
        .orElse(where);
  }

  private Stream<Map.Entry<Thread, StackTraceElement[]>> stacks() {
    Thread owner = domain.owner();
    return owner == null
        ? Thread.getAllStackTraces().entrySet().stream()
        : Stream.of(Map.entry(owner, owner.getStackTrace()));
  }

  private static String callOf(Map.Entry<Thread, StackTraceElement[]> stack) {
    return List.of(stack.getValue()).stream()
        .filter(frame -> frame.getClassName().equals(FabricLibrary.class.getName()))
        .findFirst()
        .map(frame ->
            "call=%s, thread=%s".formatted(frame.getMethodName(), stack.getKey().getName()))
        .orElse("");
  }
}
