/** What it costs to find the layers of a packet, beside C that makes the same checks. */
@NullMarked
package io.linerate.bench.scan;

import org.jspecify.annotations.NullMarked;
