/** The gateway: a router with a firewall, a translator and a server of addresses. */
package io.linerate.apps.gateway;
