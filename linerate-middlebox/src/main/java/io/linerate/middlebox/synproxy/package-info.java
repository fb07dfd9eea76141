/**
 * Handshakes of TCP that cost a server nothing until they are real: {@link
 * io.linerate.middlebox.synproxy.SynProxy}.
 */
package io.linerate.middlebox.synproxy;
