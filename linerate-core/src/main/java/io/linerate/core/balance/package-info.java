/**
 * Which worker has which receive queue, how a queue moves to another, when it should, or a stage.
 */
@NullMarked
package io.linerate.core.balance;

import org.jspecify.annotations.NullMarked;
