/** Addresses for hosts of a link: {@link io.linerate.middlebox.dhcp.DhcpServer}. */
package io.linerate.middlebox.dhcp;
