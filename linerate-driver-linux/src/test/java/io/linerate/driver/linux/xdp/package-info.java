/** AF_XDP ports on veth pairs, and their pure parts. */
package io.linerate.driver.linux.xdp;
