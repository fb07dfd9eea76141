package io.linerate.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** An input of tokens of a running element. */
final class TokenInlet {
  private final RunningElement element;

  /** A {@link LongConsumer}, {@link DoubleConsumer} or {@link Consumer}; null: not linked yet. */
  private @Nullable Object handler;

  private final Object late;

  /** Drops what comes once the element has been stopped. */
  private final Object stopped;

  private boolean isStopped;

  /** The handler is the path that begins here. */
  private TokenPath.@Nullable Step step;

  /** Tokens are counted once, where they come from: other threads read the sum here. */
  private volatile Sources sources = new Sources(List.of(), 0);

  /** What counts what comes here, and tokens that it does not count, or that went elsewhere. */
  private record Sources(List<TokenLink> links, long tokens) {}

  TokenInlet(RunningElement element, TokenType type) {
    this.element = element;
    late = late(type);
    stopped = dropping(type, () -> element.tokens.drops().add(RunningElement.STOPPED, 1));
  }

  /** What takes tokens of a type, and drops them. */
  static Object dropping(TokenType type, Runnable drop) {
    if (type.equals(TokenType.LONGS)) {
      return (LongConsumer) _ -> drop.run();
    }
    return type.equals(TokenType.DOUBLES)
        ? (DoubleConsumer) _ -> drop.run()
        : (Consumer<Object>) _ -> drop.run();
  }

  /** Nothing that comes is handled any more, from the next token on. */
  void stop() {
    isStopped = true;
    behindHasChanged();
  }

  /** What leads here is made anew, with all steps before it. */
  void behindHasChanged() {
    sources.links.forEach(TokenLink::behindHasChanged);
  }

  RunningElement element() {
    return element;
  }

  void handler(Object next) {
    handler = next;
  }

  /** From now on tokens are handled by that, and the steps that follow. */
  void step(TokenPath.Step next) {
    step = next;
    handler = null;
  }

  TokenPath.@Nullable Step step() {
    return isStopped ? null : step;
  }

  /** The path is to be made anew that begins here, if it leaves by that output. */
  @SuppressWarnings("ReferenceEquality") // Each is itself only.
  boolean isStepBefore(TokenLink out) {
    if (step == null || step.out() != out) {
      return false;
    }
    handler = null;
    return true;
  }

  /** Another object whenever it is something else that handles tokens. */
  Object identity() {
    TokenPath.Step first = step();
    return first == null ? handler() : first;
  }

  /** What handles tokens from now on; what looks for it each time, where a cycle ends here. */
  Object handler() {
    if (isStopped) {
      return stopped;
    }
    TokenPath.Step first = step;
    if (handler == null && first != null) {
      handler = TokenPath.handler(first);
    }
    return handler == null ? late : handler;
  }

  @SuppressWarnings("unchecked") // The types of edges were checked.
  private Object late(TokenType type) {
    if (type.equals(TokenType.LONGS)) {
      return (LongConsumer) token -> ((LongConsumer) known()).accept(token);
    }
    return type.equals(TokenType.DOUBLES)
        ? (DoubleConsumer) token -> ((DoubleConsumer) known()).accept(token)
        : (Consumer<Object>) token -> ((Consumer<Object>) known()).accept(token);
  }

  private Object known() {
    Object known = isStopped ? stopped : handler;
    if (known == null) {
      throw new IllegalStateException("element is not linked: element=" + element.name());
    }
    return known;
  }

  /** From now on comes what this counts. Between two bursts only. */
  void connect(TokenLink from) {
    List<TokenLink> links = new ArrayList<>(sources.links);
    links.add(from);
    sources = new Sources(links, sources.tokens - from.tokens());
  }

  /** What this counts comes here no longer. Between two bursts only. */
  void disconnect(TokenLink from) {
    List<TokenLink> links = new ArrayList<>(sources.links);
    links.remove(from);
    sources = new Sources(links, sources.tokens + from.tokens());
  }

  /** Tokens that came until now. Any thread. */
  long tokens() {
    Sources now = sources;
    return now.tokens + now.links.stream().mapToLong(TokenLink::tokens).sum();
  }
}
