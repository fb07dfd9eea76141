/** The web page of a running program and its HTTP interface: see {@code docs/dashboard.md}. */
@NullMarked
package io.linerate.dashboard;

import org.jspecify.annotations.NullMarked;
