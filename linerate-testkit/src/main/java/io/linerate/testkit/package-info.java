/** What tests of drivers, protocols and applications share. */
@NullMarked
package io.linerate.testkit;

import org.jspecify.annotations.NullMarked;
