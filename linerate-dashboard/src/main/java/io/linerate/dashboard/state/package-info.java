/** What a running program looks like, as JSON. */
@NullMarked
package io.linerate.dashboard.state;

import org.jspecify.annotations.NullMarked;
