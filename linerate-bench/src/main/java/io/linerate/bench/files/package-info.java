/**
 * How long a forwarder keeps packets: Linerate under each garbage collector beside a plain C
 * program, measured by a C program on the other CPU that both serve in turn.
 */
@NullMarked
package io.linerate.bench.files;

import org.jspecify.annotations.NullMarked;
