/** What drivers need and handlers never see. */
@NullMarked
package io.linerate.core.driver;

import org.jspecify.annotations.NullMarked;
