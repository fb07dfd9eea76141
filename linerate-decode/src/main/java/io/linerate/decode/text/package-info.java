/** What the fields of packets are as text: columns, lines for people, JSON. */
@NullMarked
package io.linerate.decode.text;

import org.jspecify.annotations.NullMarked;
