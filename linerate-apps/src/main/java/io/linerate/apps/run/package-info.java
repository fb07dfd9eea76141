/** What all applications share: the console, running an engine to its end, the summary. */
@NullMarked
package io.linerate.apps.run;

import org.jspecify.annotations.NullMarked;
