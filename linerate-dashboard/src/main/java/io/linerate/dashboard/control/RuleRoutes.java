package io.linerate.dashboard.control;

import static io.linerate.dashboard.http.RouteParameter.member;
import static io.linerate.dashboard.http.RouteParameter.optionalMember;
import static io.linerate.dashboard.http.RouteParameter.query;

import com.google.gson.stream.JsonWriter;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.Members;
import io.linerate.dashboard.http.Refusal;
import io.linerate.dashboard.http.Route;
import io.linerate.dashboard.http.SharedAnswer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The rules over HTTP. */
public final class RuleRoutes {
  private static final String PATH = "/api/rules";

  private final RuleControl rules;
  private final SharedAnswer answer;

  public RuleRoutes(RuleControl rules) {
    this.rules = rules;
    answer = new SharedAnswer(() -> JsonMembers.bytes(this::list));
  }

  /** The rules as they are answered with: stale when anything was changed. */
  public SharedAnswer answer() {
    return answer;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
            PATH, "The rules in the order in which they are tried, with their hits.", this::list),
        Route.change("POST", PATH, "Adds a rule while packets flow.", this::add)
            .with(
                member("rule", "string", "As in a rules file, such as drop 10.0.0.0/8 udp."),
                optionalMember(
                    "index", "integer", "Its place; otherwise behind all but default and nonip.")),
        Route.change("DELETE", PATH, "Removes a rule while packets flow.", this::remove)
            .with(
                query("index", "integer", "Its place.").required(),
                query("rule", "string", "What stands there; 409 if it is something else.")
                    .required()),
        Route.change(
            "POST",
            PATH + "/reload",
            "Reads the rules file again; what is wrong with it leaves the old rules.",
            this::reload));
  }

  private void list(Call call) throws IOException {
    call.json(answer);
  }

  /** Writes the rules as an array. */
  public void list(JsonWriter json) throws IOException {
    AtomicInteger index = new AtomicInteger();
    JsonMembers.objects(
        json,
        rules.rules(),
        rule -> {
          json.name("index").value(index.getAndIncrement());
          json.name("line").value(rule.line());
          json.name("rule").value(rule.rule());
          json.name("fixed").value(rule.isFixed());
          json.name("hits").value(rule.hits());
        });
  }

  private void add(Call call) throws IOException {
    Members body = call.members("rule", "index");
    rules.add(body.text("rule"), body.optionalNumber("index", 0, rules.rules().size()));
    changed(call);
  }

  private void remove(Call call) throws IOException {
    int index = (int) call.requiredNumber("index", 0, Integer.MAX_VALUE);
    String rule = call.required("rule");
    if (!rules.remove(index, rule)) {
      throw new Refusal(
          409,
          "no such rule at this place: index=%d, rule=%s; read them again".formatted(index, rule));
    }
    changed(call);
  }

  private void reload(Call call) throws IOException {
    call.members();
    rules.reload();
    changed(call);
  }

  private void changed(Call call) throws IOException {
    answer.stale();
    list(call);
  }
}
