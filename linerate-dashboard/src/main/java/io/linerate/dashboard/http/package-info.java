/**
 * A small HTTP server that trusts nobody: routes, what is refused and why, and server-sent events.
 * It knows nothing of packets.
 */
@NullMarked
package io.linerate.dashboard.http;

import org.jspecify.annotations.NullMarked;
