/** Two programs of which one takes over the connections of the other. */
@NullMarked
package io.linerate.apps.standby;

import org.jspecify.annotations.NullMarked;
