package io.linerate.bench.duel;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** kill(2), for what a {@link Process} cannot do: stop for a while and go on. */
public final class ProcessSignal {
  private static final int SIGCONT = 18;
  private static final int SIGSTOP = 19;
  private static final MethodHandle KILL = bind();

  private ProcessSignal() {}

  /** Stops it, then what it has started. */
  public static void stop(Process process) {
    send(process, SIGSTOP);
    process.descendants().forEach(child -> send(child.pid(), SIGSTOP));
  }

  /** Lets what it has started go on, then it. */
  public static void resume(Process process) {
    process.descendants().forEach(child -> send(child.pid(), SIGCONT));
    send(process, SIGCONT);
  }

  /** To a process that has ended: nothing happens, the {@link Process} still holds its number. */
  private static void send(Process process, int signal) {
    if (process.isAlive()) {
      send(process.pid(), signal);
    }
  }

  private static void send(long pid, int signal) {
    try {
      int ignored = (int) KILL.invokeExact((int) pid, signal);
    } catch (Throwable e) {
      throw new AssertionError("kill(2) failed", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("kill"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }
}
