package io.linerate.graph;

import io.linerate.core.memory.LinkType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the check of a graph knows of an element.
 *
 * @param inputs the first one is the default
 * @param outputs the first one is the default
 * @param receives names of ports of the engine whose packets it brings into the graph
 * @param transmits names of ports of the engine that it sends packets to
 * @param watches names of elements whose congestion it asks for
 * @param isBuffered whether its outputs never send while one of its inputs is at work, but from
 *     {@link Wiring#onRound} or {@link Wiring#every}: only then may a cycle lead through it
 * @param isCrossing whether inputs and outputs may be on different workers
 * @param emptiedOn the only worker that its outputs are on, whatever is behind them; {@link
 *     #ANY_WORKER}: those of what is behind them
 * @param isHolding whether it keeps what comes, and sends it on when it may: what is behind it does
 *     not hold back what is before it; what brings it tokens waits while {@link Wiring#holdBack}
 *     says so
 * @param links which packets it takes, by what they begin with, and what those that leave it do
 */
public record Shape(
    List<ElementPort> inputs,
    List<ElementPort> outputs,
    List<String> receives,
    List<String> transmits,
    List<String> watches,
    boolean isBuffered,
    boolean isCrossing,
    int emptiedOn,
    boolean isHolding,
    Links links) {
  /** Of {@link #emptiedOn}. */
  public static final int ANY_WORKER = -1;

  /** What an element makes of packets that begin with different headers: see {@link LinkType}. */
  public enum Links {
    /** It takes Ethernet frames only, and gives such. */
    ETHERNET,

    /** It takes any packet, and leaves what it begins with. */
    ANY,

    /** It takes any packet, and gives Ethernet frames. */
    TO_ETHERNET
  }

  /** No input and no output: the start of a description. */
  public static final Shape NONE =
      new Shape(
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          false,
          false,
          ANY_WORKER,
          false,
          Links.ETHERNET);

  public Shape {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    receives = List.copyOf(receives);
    transmits = List.copyOf(transmits);
    watches = List.copyOf(watches);
  }

  /** One input {@code in}, one output {@code out}. */
  public static Shape inOut() {
    return NONE.input("in").output("out");
  }

  /** One more input, which has to be connected. */
  public Shape input(String name) {
    return inputs(plus(inputs, new ElementPort(name, false)));
  }

  /** One more input, which may be left alone. */
  public Shape optionalInput(String name) {
    return inputs(plus(inputs, new ElementPort(name, true)));
  }

  /** One more of several inputs for the same: one of these has to be connected. */
  public Shape alternativeInput(String name) {
    return inputs(plus(inputs, new ElementPort(name, true, true)));
  }

  /** One more output, which has to be connected. */
  public Shape output(String name) {
    return outputs(plus(outputs, new ElementPort(name, false)));
  }

  /** One more output; what is sent to it while it is unconnected is dropped. */
  public Shape optionalOutput(String name) {
    return outputs(plus(outputs, new ElementPort(name, true)));
  }

  /** One more input, for tokens, which has to be connected. */
  public Shape tokenInput(String name, TokenType type) {
    return inputs(plus(inputs, ElementPort.ofTokens(name, type, false)));
  }

  /** One more output, for tokens, which has to be connected. */
  public Shape tokenOutput(String name, TokenType type) {
    return outputs(plus(outputs, ElementPort.ofTokens(name, type, false)));
  }

  /** One more output, for tokens; what is sent to it while it is unconnected is dropped. */
  public Shape optionalTokenOutput(String name, TokenType type) {
    return outputs(plus(outputs, ElementPort.ofTokens(name, type, true)));
  }

  /** Brings packets of a port of the engine into the graph. */
  public Shape receiving(String port) {
    return new Shape(
        inputs,
        outputs,
        plus(receives, port),
        transmits,
        watches,
        isBuffered,
        isCrossing,
        emptiedOn,
        isHolding,
        links);
  }

  /** Sends packets to a port of the engine. */
  public Shape transmitting(String port) {
    return new Shape(
        inputs,
        outputs,
        receives,
        plus(transmits, port),
        watches,
        isBuffered,
        isCrossing,
        emptiedOn,
        isHolding,
        links);
  }

  /** Asks whether that element, a queue, is congested. */
  public Shape watching(String element) {
    return new Shape(
        inputs,
        outputs,
        receives,
        transmits,
        plus(watches, element),
        isBuffered,
        isCrossing,
        emptiedOn,
        isHolding,
        links);
  }

  /** See {@link #isBuffered}. */
  public Shape buffered() {
    return new Shape(
        inputs,
        outputs,
        receives,
        transmits,
        watches,
        true,
        isCrossing,
        emptiedOn,
        isHolding,
        links);
  }

  /** See {@link #isHolding}: for elements that use {@link Wiring#holdBack}. */
  public Shape holding() {
    return new Shape(
        inputs,
        outputs,
        receives,
        transmits,
        watches,
        isBuffered,
        isCrossing,
        emptiedOn,
        true,
        links);
  }

  /** See {@link #isCrossing}: for elements that use {@link Wiring#crossing}. */
  public Shape crossing() {
    return crossing(ANY_WORKER);
  }

  /**
   * As {@link #crossing()}, to one worker, though what is behind may be on others, too: so that
   * what is put in on any worker goes on there.
   */
  public Shape crossing(int worker) {
    return new Shape(
        inputs, outputs, receives, transmits, watches, true, true, worker, isHolding, links);
  }

  /** Takes packets of any link type, and leaves what they begin with. */
  public Shape anyLink() {
    return links(Links.ANY);
  }

  /** See {@link #links}. */
  public Shape links(Links changed) {
    return new Shape(
        inputs,
        outputs,
        receives,
        transmits,
        watches,
        isBuffered,
        isCrossing,
        emptiedOn,
        isHolding,
        changed);
  }

  Optional<ElementPort> findInput(String name) {
    return among(inputs, name);
  }

  Optional<ElementPort> findOutput(String name) {
    return among(outputs, name);
  }

  private static Optional<ElementPort> among(List<ElementPort> ports, String name) {
    return ports.stream().filter(port -> port.name().equals(name)).findFirst();
  }

  private Shape inputs(List<ElementPort> changed) {
    return new Shape(
        changed,
        outputs,
        receives,
        transmits,
        watches,
        isBuffered,
        isCrossing,
        emptiedOn,
        isHolding,
        links);
  }

  private Shape outputs(List<ElementPort> changed) {
    return new Shape(
        inputs,
        changed,
        receives,
        transmits,
        watches,
        isBuffered,
        isCrossing,
        emptiedOn,
        isHolding,
        links);
  }

  private static <T> List<T> plus(List<T> list, T element) {
    List<T> longer = new ArrayList<>(list);
    longer.add(element);
    return longer;
  }
}
