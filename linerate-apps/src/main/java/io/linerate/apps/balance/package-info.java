/** {@code linerate balance}: several servers for one address. */
package io.linerate.apps.balance;
