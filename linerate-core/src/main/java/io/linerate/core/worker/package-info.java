/**
 * The engine and its workers: threads, pinning, idling, draining, counting. Applications bring
 * handlers.
 */
@NullMarked
package io.linerate.core.worker;

import org.jspecify.annotations.NullMarked;
