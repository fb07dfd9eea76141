import io.linerate.analysis.*;
import io.linerate.graph.*;
import io.linerate.program.*;
import io.linerate.stream.*;

/** Prints what looks like an attack. */
record Alarms() implements Flow.Subscriber<WindowReport> {
  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(WindowReport report) {
    Stream.of(report.portScans(), report.hostScans(), report.synFloods())
        .flatMap(List::stream)
        .forEach(IO::println);
  }

  @Override
  public void onError(Throwable failure) {
    IO.println(failure);
  }

  @Override
  public void onComplete() {}
}

void main(String[] arguments) {
  Program.named("scans")
      .describedAs("Says who scans ports and hosts, and which ports are flooded with SYNs.")
      .ports("in")
      .example("packet:eth1")
      .main(arguments, this::wire);
}

void wire(Setup setup) {
  var reports = new TokenPublisher<WindowReport>(64, Overflow.HOLD_BACK);
  reports.subscribe(new Alarms());
  setup.graph(
      Streams.graph(s ->
          TrafficAnalysis.reports(s.packets("in", "in"), AnalysisSettings.DEFAULT)
              .publish("reports", reports)));
}
