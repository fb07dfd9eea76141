/** What all that translates connections does with their packets. */
package io.linerate.middlebox.session;
