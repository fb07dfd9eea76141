/**
 * AF_XDP sockets as ports: {@code xdp:IFACE}. Rings and packet memory are shared with the kernel;
 * the program that redirects frames to the sockets is assembled and loaded here.
 */
@NullMarked
package io.linerate.driver.linux.xdp;

import org.jspecify.annotations.NullMarked;
