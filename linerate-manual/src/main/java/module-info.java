/** Puts the manual pages of elements into the jar of their classes, at compile time. */
module io.linerate.manual {
  requires java.compiler;
  requires static org.jspecify;

  provides javax.annotation.processing.Processor with
      io.linerate.manual.ManualPages;
}
