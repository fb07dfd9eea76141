/** What tests of drivers, protocols and applications share. */
module io.linerate.testkit {
  requires transitive io.linerate.core;
  requires jdk.management;
  requires transitive org.junit.jupiter.api;
  requires org.assertj.core;
  requires static org.jspecify;

  exports io.linerate.testkit;
  exports io.linerate.testkit.firehose;
}
