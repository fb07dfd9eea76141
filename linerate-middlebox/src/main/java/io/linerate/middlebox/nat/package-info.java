/**
 * Translation of addresses and ports: {@link io.linerate.middlebox.nat.Nat} translates, and {@link
 * io.linerate.middlebox.nat.NatSwitch} hands packets to the worker that knows how; {@link
 * io.linerate.middlebox.nat.Npt} translates prefixes.
 */
package io.linerate.middlebox.nat;
