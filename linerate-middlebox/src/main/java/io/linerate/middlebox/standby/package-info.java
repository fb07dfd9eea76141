/** Tables that go on in another program. */
package io.linerate.middlebox.standby;
