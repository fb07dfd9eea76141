package io.linerate.graph;

import io.linerate.core.memory.DropCounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Inputs, outputs and queues of tokens of a running element, and what makes its handlers. */
final class TokenPorts {
  private final RunningElement element;
  private final Map<String, TokenInlet> inlets = new LinkedHashMap<>();
  private final Map<String, TokenLink> links = new LinkedHashMap<>();
  private final List<TokenCrossing> crossings = new ArrayList<>();

  /** What makes the handlers that hand tokens on. */
  private final List<Consumer<Links>> linkings = new ArrayList<>();

  private final DropCounts drops;
  private boolean isLinked;

  TokenPorts(RunningElement element) {
    this.element = element;
    drops = new DropCounts(element.replica().droppedTokens());
  }

  DropCounts drops() {
    return drops;
  }

  void output(ElementPort port) {
    links.put(port.name(), new TokenLink(element, port));
  }

  void input(String name, TokenType type, Linking<?> linking) {
    TokenInlet inlet = new TokenInlet(element, type);
    inlets.put(name, inlet);
    link(made -> inlet.handler(Objects.requireNonNull(linking.link(made), name)));
  }

  void step(String name, TokenType type, TokenStep step, String output) {
    TokenInlet inlet = new TokenInlet(element, type);
    TokenLink out = Objects.requireNonNull(links.get(output), output);
    inlets.put(name, inlet);
    link(_ -> inlet.step(new TokenPath.Step(step, out, element)));
  }

  void crossing(TokenCrossing crossing) {
    crossings.add(crossing);
  }

  boolean hasInput(String name) {
    return inlets.containsKey(name);
  }

  /** Does something when it is known, and whenever it has changed, what is behind. */
  void link(Consumer<Links> linking) {
    linkings.add(linking);
  }

  /** The output of that name; null if there is none. */
  @Nullable TokenLink link(String output) {
    return links.get(output);
  }

  /** The input of that name; null if there is none. */
  @Nullable TokenInlet inlet(String input) {
    return inlets.get(input);
  }

  /**
   * Leads outputs to those inputs, and makes the handlers anew that hand tokens on, if that is
   * anything new. What is behind is linked first. Between two bursts only.
   */
  void lead(Map<TokenLink, TokenInlet> targets) {
    boolean isNew = !isLinked;
    for (TokenLink link : links.values()) {
      isNew |= link.target(targets.get(link));
    }
    if (isNew) {
      isLinked = true;
      Links made = new Links(element);
      linkings.forEach(linking -> linking.accept(made));
    }
  }

  /**
   * What an output leads to has changed: so have steps that leave by it, and what leads to them.
   */
  void behindHasChanged(TokenLink out) {
    inlets.values().stream()
        .filter(inlet -> inlet.isStepBefore(out))
        .forEach(TokenInlet::behindHasChanged);
  }

  /** Drops what comes in from now on. */
  void stop() {
    inlets.values().forEach(TokenInlet::stop);
  }

  /** Drops what is held, and what is sent from now on. */
  void dropHeld() {
    crossings.forEach(crossing -> crossing.dropAll(RunningElement.STOPPED));
    links.values().forEach(link -> link.target(null));
  }

  /** Any thread. */
  TokenCounts counts() {
    return inlets.isEmpty() && links.isEmpty()
        ? TokenCounts.NONE
        : new TokenCounts(
            inlets.values().stream().mapToLong(TokenInlet::tokens).sum(),
            links.values().stream().mapToLong(TokenLink::tokens).sum(),
            drops.byName(),
            crossings.stream().mapToLong(QueueSide::size).sum());
  }
}
