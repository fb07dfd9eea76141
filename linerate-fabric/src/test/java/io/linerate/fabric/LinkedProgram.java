package io.linerate.fabric;

/** A program that a station has links to, whose operations go on while it is waited for. */
record LinkedProgram(OtherProgram program, Station station) {
  /** Waits for a line that begins with a word; what follows it. */
  String hear(String word) {
    while (!program.hasSaid()) {
      station.idle();
    }
    return program.hear(word);
  }

  /** Asks it for a link as soon as it is ready. */
  LinkEnd connect(FabricAddress address) {
    program.hear("ready");
    LinkEnd end = station.ask(address);
    program.tell("accept");
    station.complete(end);
    hear("done");
    return end;
  }

  /** Lets it end, once it is done. */
  void end() {
    hear("done");
    program.tell("end");
    hear("closed");
  }
}
