package io.linerate.stream;

/**
 * Tokens in two parts.
 *
 * @param <S> {@link LongTokens}, {@link DoubleTokens} or {@link Tokens}
 * @param matching those of which the predicate is true
 * @param rest the others
 */
public record Split<S>(S matching, S rest) {}
