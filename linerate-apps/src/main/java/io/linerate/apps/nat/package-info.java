/** {@code linerate nat}: many hosts behind few addresses. */
package io.linerate.apps.nat;
