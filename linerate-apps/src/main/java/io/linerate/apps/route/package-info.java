/** {@code linerate route}: a router of IPv4 and IPv6. */
package io.linerate.apps.route;
