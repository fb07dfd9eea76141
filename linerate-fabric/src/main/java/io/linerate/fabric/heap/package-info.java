/**
 * Messages out of and into arrays of the heap, in the variants that Javia had for them: copied, or
 * passed where they are; into an array that is there, or into a new one. Numbers are in the byte
 * order of the host.
 */
@NullMarked
package io.linerate.fabric.heap;

import org.jspecify.annotations.NullMarked;
