/** Chains of elements that each touch every packet, beside C that does all of that in one loop. */
@NullMarked
package io.linerate.bench.chain;

import org.jspecify.annotations.NullMarked;
