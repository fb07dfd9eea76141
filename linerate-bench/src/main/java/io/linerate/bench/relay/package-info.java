/** What a translator adds to the time of a datagram's way there and back, beside sockets. */
@NullMarked
package io.linerate.bench.relay;

import org.jspecify.annotations.NullMarked;
