package io.linerate.filter.code;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An arithmetic expression: statements that leave its value in a word of scratch memory.
 *
 * @param code the statements
 * @param register number of the word
 * @param guard what has to hold before they may run, if something has to
 */
record Value(List<Statement> code, int register, @Nullable Test guard) {}
