/** Two programs of which one takes over the connections of the other. */
package io.linerate.apps.standby;
