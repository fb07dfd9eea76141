/**
 * What tells a program of the list from the others: its name on the page of all programs, or else where
 * its own page is, for a process may have several.
 */
export const programKey = ({ program, url }) => String(program ?? url);
