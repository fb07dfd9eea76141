package io.linerate.graph;

import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** An output of tokens of a running element: where it leads, and what has passed it. */
final class TokenLink {
  private static final VarHandle TOKENS;

  static {
    try {
      TOKENS = MethodHandles.lookup().findVarHandle(TokenLink.class, "tokens", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final RunningElement element;
  private final ElementPort port;
  private final BurstOwner owner;

  /** Drops what is sent while it leads nowhere. */
  private final Object nowhere;

  private @Nullable TokenInlet target;

  /** See {@link TokenInlet#identity}. */
  private @Nullable Object behind;

  private @Nullable TokenOutlet outlet;
  private long tokens;

  /** Of outlets: what was handed out before the last change hands tokens to the newest. */
  private int generation;

  /** What a class of an outlet has as its constant. */
  record Constant(TokenLink link, Object handler, int generation) {}

  TokenLink(RunningElement element, ElementPort port) {
    this.element = element;
    this.port = port;
    owner = element.replica().host().owner();
    nowhere = TokenInlet.dropping(type(), this::drop);
  }

  TokenType type() {
    return port.type();
  }

  /**
   * A token leaves, if the outlet is the newest; false: nothing is counted.
   *
   * @param current the outlet's generation
   */
  boolean count(int current) {
    owner.require();
    if (current != generation) {
      return false;
    }
    tokens = tokens + 1; // Plain, as PacketCounter has it.
    return true;
  }

  /** A token leaves. */
  void count() {
    owner.require();
    tokens = tokens + 1; // Plain, as PacketCounter has it.
  }

  /** Tokens that left. Any thread. */
  long tokens() {
    return (long) TOKENS.getOpaque(this);
  }

  /** What is behind has thrown. */
  void failed(Throwable e) {
    TokenInlet to = target;
    (to == null ? element : to.element()).tokenFailed(e);
  }

  private void drop() {
    DropReason reason = element.hasLeft() ? RunningElement.STOPPED : Wiring.UNCONNECTED;
    element.tokens.drops().add(reason, 1);
  }

  boolean isConnected() {
    return target != null;
  }

  /** Hands tokens to what is behind: another one whenever that has changed. */
  TokenOutlet outlet() {
    TokenOutlet made = outlet;
    if (made == null) {
      Object handler = target == null ? nowhere : target.handler();
      made = make(new Constant(this, handler, generation));
      outlet = made;
    }
    return made;
  }

  @Nullable TokenInlet target() {
    return target;
  }

  /**
   * Where it leads from now on. Between two bursts only.
   *
   * @return whether there is another outlet
   */
  @SuppressWarnings("ReferenceEquality") // Each is itself only.
  boolean target(@Nullable TokenInlet to) {
    if (to != target) {
      if (target != null) {
        target.disconnect(this);
      }
      if (to != null) {
        to.connect(this);
      }
      target = to;
    }
    Object next = to == null ? nowhere : to.identity();
    if (next == behind) {
      return false;
    }
    behind = next;
    outlet = null;
    generation++;
    return true;
  }

  /** What it leads to handles tokens in another way, from the next one on. */
  void behindHasChanged() {
    outlet = null;
    generation++;
    element.tokens.behindHasChanged(this);
  }

  private TokenOutlet make(Constant constant) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    if (type().equals(TokenType.LONGS)) {
      return HandlerClass.make(lookup, LinkedLongOutlet.class, constant, LongOutlet.class);
    }
    return type().equals(TokenType.DOUBLES)
        ? HandlerClass.make(lookup, LinkedDoubleOutlet.class, constant, DoubleOutlet.class)
        : HandlerClass.make(lookup, LinkedObjectOutlet.class, constant, ObjectOutlet.class);
  }

  @Override
  public String toString() {
    return "element=" + element.name() + ", output=" + port.name();
  }
}
