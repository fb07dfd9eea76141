package io.linerate.stream;

/**
 * What comes of the tokens of one key in one window.
 *
 * @param <K> class of the key
 * @param <R> class of the value
 * @param startNs when the window began, in ns since 1970; of a session, when its first token was;
 *     of a window of tokens, when the first came
 * @param endNs when it ended; of a session, a gap after its last token; of a window of tokens, when
 *     the last came
 */
public record WindowResult<K, R>(K key, long startNs, long endNs, R value) {}
