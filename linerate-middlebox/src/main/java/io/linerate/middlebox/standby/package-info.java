/** Tables that go on in another program. */
@NullMarked
package io.linerate.middlebox.standby;

import org.jspecify.annotations.NullMarked;
