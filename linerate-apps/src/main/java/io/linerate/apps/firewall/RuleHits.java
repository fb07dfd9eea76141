package io.linerate.apps.firewall;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;

/** How often each rule decided. */
final class RuleHits {
  private final RuleSet rules;
  private final long[] hits;

  /**
   * @param hits by the numbers of {@link RuleSet}
   */
  RuleHits(RuleSet rules, long[] hits) {
    this.rules = rules;
    this.hits = hits;
  }

  /**
   * Writes the member {@code rules}: those of the file, and what was added or changed since, with
   * line 0. The default and what holds for other packets than IP are there if the file or somebody
   * says them.
   */
  void write(JsonWriter json) throws IOException {
    json.name("rules").beginArray();
    for (int i = 0; i < rules.rules().size(); i++) {
      Rule rule = rules.rules().get(i);
      write(json, rule.line(), rule.text(), hits[i]);
    }
    if (rules.isDefaultSaid()) {
      write(json, rules.byDefault(), hits[rules.defaultIndex()]);
    }
    if (rules.isNonIpSaid()) {
      write(json, rules.nonIp(), hits[rules.nonIpIndex()]);
    }
    json.endArray();
  }

  private static void write(JsonWriter json, Policy policy, long hits) throws IOException {
    write(json, policy.line(), policy.text(), hits);
  }

  private static void write(JsonWriter json, int line, String rule, long hits) throws IOException {
    json.beginObject();
    json.name("line").value(line);
    json.name("rule").value(rule);
    json.name("hits").value(hits);
    json.endObject();
  }
}
