/** Streams over UDP: what is sent again, how fast, and what is believed of what comes. */
@NullMarked
package io.linerate.stream.net;

import org.jspecify.annotations.NullMarked;
