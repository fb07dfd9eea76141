/** Filters: the language of pcap, compiled. */
module io.linerate.filter {
  requires transitive io.linerate.core;
  requires static org.jspecify;

  exports io.linerate.filter;

  provides io.linerate.core.memory.FilterLanguage with
      io.linerate.filter.PcapFilterLanguage;
}
