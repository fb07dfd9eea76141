/** Whole programs, in processes of their own, against real devices, clients and servers. */
@NullMarked
package io.linerate.systemtest;

import org.jspecify.annotations.NullMarked;
