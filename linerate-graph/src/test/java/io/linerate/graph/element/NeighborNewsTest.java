package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NeighborNewsTest {
  private final NeighborNews news = new NeighborNews();

  @Test
  void shouldTellEachReaderEverythingOnceInItsOrder() {
    NeighborNews.Reader one = news.join();
    assertThat(news.isHeard()).isFalse();
    news.tell(1, 2, 3, true, false);
    NeighborNews.Reader other = news.join();
    assertThat(news.isHeard()).isTrue();
    news.tell(4, 5, 6, false, true);
    requireNext(one, 1, 2, 3, true);
    requireNext(one, 4, 5, 6, false);
    requireNext(other, 4, 5, 6, false);
    for (NeighborNews.Reader reader : new NeighborNews.Reader[] {one, other}) {
      assertThat(news.isNew(reader)).isFalse();
      assertThat(news.next(reader)).isFalse();
    }
    news.leave();
    assertThat(news.isHeard()).isFalse();
  }

  private void requireNext(
      NeighborNews.Reader reader, long high, long low, long mac, boolean isAnswer) {
    assertThat(news.isNew(reader)).isTrue();
    assertThat(news.next(reader)).isTrue();
    assertThat(reader.high).isEqualTo(high);
    assertThat(reader.low).isEqualTo(low);
    assertThat(reader.mac).isEqualTo(mac);
    assertThat(reader.isAnswer).isEqualTo(isAnswer);
    assertThat(reader.replaces).isEqualTo(!isAnswer);
  }

  @Test
  void shouldKeepTheLastOnesForWhoIsLate() {
    NeighborNews.Reader reader = news.join();
    for (int i = 0; i < 3_000; i++) {
      news.tell(0, i, i, true, true);
    }
    int count = 0;
    while (news.next(reader)) {
      count++;
      assertThat(reader.low).isEqualTo(3_000 - 1_024 + count - 1);
    }
    assertThat(count).isEqualTo(1_024);
  }
}
