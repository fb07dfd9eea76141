/** The kernel's routes, as they are and as they change. */
package io.linerate.driver.linux.route;
