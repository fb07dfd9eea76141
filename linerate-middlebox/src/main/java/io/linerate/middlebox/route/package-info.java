/**
 * Routing: a {@link io.linerate.middlebox.route.RoutingTable} of both versions of IP, read from
 * text ({@link io.linerate.middlebox.route.RouteText}), and the element that sends packets by it.
 */
package io.linerate.middlebox.route;
