/**
 * Load balancing: {@link io.linerate.middlebox.balance.Balance} gives each connection a backend, by
 * Maglev hashing, and {@link io.linerate.middlebox.balance.HealthCheck} says which of them are up.
 */
package io.linerate.middlebox.balance;
