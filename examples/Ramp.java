import io.linerate.apps.generate.*;
import java.time.Duration;

void main(String[] arguments) {
  var web = TrafficStream.of("web", "protocol=tcp size=imix src=10.0.0.0/24 dstport=80 seed=7");
  var probe = TrafficStream.of("probe", "size=64 sequence=true timestamps=true");
  var plan = new TrafficPlan();
  plan.at(Duration.ZERO, probe, "1kpps");
  for (int step = 0; step < 5; step++) {
    plan.at(Duration.ofMillis(100 * step), web, 10 * (step + 1) + "kpps");
  }
  plan.end(Duration.ofMillis(500));
  IO.println(Generator.to(arguments[0]).run(plan));
}
