/**
 * Routes: where packets go next, by the longest prefix of their destination that is known. Tables
 * are changed while others look up.
 */
@NullMarked
package io.linerate.wire.route;

import org.jspecify.annotations.NullMarked;
