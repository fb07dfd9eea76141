/** What the commands have in common that run middleboxes between links. */
package io.linerate.apps.middlebox;
