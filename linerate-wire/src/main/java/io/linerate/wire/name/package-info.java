/**
 * Names of hosts in the first bytes of application protocols: what is asked of DNS, of TLS, of
 * HTTP.
 */
@NullMarked
package io.linerate.wire.name;

import org.jspecify.annotations.NullMarked;
