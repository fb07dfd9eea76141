package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.log.FailureLog;
import io.linerate.core.port.PortException;
import io.linerate.core.statistics.RunSummary;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What has failed in a run, a sentence for each: see {@link RunSummary#failures}. Any thread; says
 * nothing twice.
 */
final class RunFailures {
  private static final System.Logger LOG = System.getLogger(Engine.class.getName());

  private final Set<String> sentences = Collections.synchronizedSet(new LinkedHashSet<>());

  private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

  /** A port or a worker failed. */
  void add(Throwable failure) {
    first.compareAndSet(null, failure);
    sentences.add(sentence(FailureLog.printable(failure)));
  }

  /**
   * Something else failed, which is logged too.
   *
   * @param what and where, such as {@code task cannot end: worker=0}
   */
  void add(String what, Throwable failure) {
    first.compareAndSet(null, failure);
    if (sentences.add(what + ", error=" + FailureLog.printable(failure))) {
      FailureLog.log(LOG, what, failure);
    }
  }

  /** The run cannot go on, which is no bug: the message is a sentence. */
  void addExpected(Throwable failure) {
    first.compareAndSet(null, failure);
    sentences.add(String.valueOf(FailureLog.printable(failure).getMessage()));
  }

  /** What has failed first. */
  Optional<Throwable> first() {
    return Optional.ofNullable(first.get());
  }

  List<String> sentences() {
    synchronized (sentences) {
      return List.copyOf(sentences);
    }
  }

  private static String sentence(Throwable failure) {
    String message = failure.getMessage();
    boolean isSentence = failure instanceof PortException || failure instanceof ConfigException;
    return isSentence && message != null ? message : failure.toString();
  }
}
