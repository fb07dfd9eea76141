/** Which worker has which receive queue, how a queue moves to another, and when it should. */
@NullMarked
package io.linerate.core.balance;

import org.jspecify.annotations.NullMarked;
