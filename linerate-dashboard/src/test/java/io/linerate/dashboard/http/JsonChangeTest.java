package io.linerate.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonChangeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1,\"b\":[1,2]}|{\"a\":1,\"b\":[1,2]}|null",
        "{\"a\":1,\"b\":2}|{\"a\":1,\"b\":3}|{\"b\":3}",
        "{\"a\":1,\"b\":2}|{\"b\":2,\"c\":4}|{\"c\":4,\"a\":null}",
        "{\"a\":1}|{\"a\":null}|{\"a\":null}",
        "{\"a\":null}|{\"a\":{\"b\":1}}|{\"a\":{\"b\":1}}",
        "{\"a\":[{\"n\":1,\"t\":\"x\"},{\"n\":2}]}|{\"a\":[{\"n\":1,\"t\":\"x\"},{\"n\":3}]}|{\"a\":{\"1\":{\"n\":3}}}",
        "{\"a\":[1,2,3]}|{\"a\":[1,2]}|{\"a\":[1,2]}",
        "{\"a\":[]}|{\"a\":[]}|null",
        "{\"a\":[1]}|{\"a\":{\"0\":1}}|{\"a\":{\"0\":1}}",
        "9007199254740993|9007199254740994|9007199254740994",
      })
  void shouldSayWhatIsToBeDone(String before, String now, String change) {
    JsonElement seen =
        JsonChange.between(JsonParser.parseString(before), JsonParser.parseString(now));
    assertThat(String.valueOf(seen)).isEqualTo(change);
  }
}
