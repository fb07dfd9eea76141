/**
 * Bursts in the hands of their owners, for the driver's side: workers, runtimes, drivers that read
 * what they carry. Nothing that a handler is given leads here.
 */
@NullMarked
package io.linerate.core.owner;

import org.jspecify.annotations.NullMarked;
