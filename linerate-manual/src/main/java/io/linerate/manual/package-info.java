/** Manual pages from the comments of classes. */
@NullMarked
package io.linerate.manual;

import org.jspecify.annotations.NullMarked;
