package io.linerate.apps.fabric;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.ChannelSettings;
import io.linerate.fabric.channel.Incoming;
import io.linerate.fabric.channel.Outgoing;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The side that is measured against: it sends messages back, or takes them. */
final class FabricServer {
  private static final Duration LOOK = Duration.ofMillis(100);

  private final FabricAddress address;
  private final ChannelSettings settings;
  private final MeasureLimit limit;
  private final Console console;
  private final List<Served> all = new ArrayList<>();
  private int peers;
  private int failures;

  FabricServer(
      FabricAddress address, ChannelSettings settings, MeasureLimit limit, Console console) {
    this.address = address;
    this.settings = settings;
    this.limit = limit;
    this.console = console;
  }

  /** One peer, and what it has asked for. */
  private static final class Served {
    final Channel channel;
    Ask ask = new Ask(0, 0);
    long left;
    @Nullable Incoming waiting;

    Served(Channel channel) {
      this.channel = channel;
    }

    boolean work() {
      boolean hasWorked = false;
      Incoming in = next();
      while (in != null && take(in)) {
        hasWorked = true;
        in = next();
      }
      waiting = in;
      return hasWorked;
    }

    private @Nullable Incoming next() {
      Incoming held = waiting;
      waiting = null;
      return held != null ? held : channel.receive();
    }

    /** Whether the message is done with; otherwise there is no room for the answer now. */
    private boolean take(Incoming in) {
      if (left == 0) {
        ask = Ask.read(in.memory(), in.length());
        left = ask.messages();
        in.release();
        return true;
      }
      boolean isAnswered = ask.kind() == Ask.ECHO || left == 1;
      Outgoing out = isAnswered ? channel.claim() : null;
      if (isAnswered && out == null) {
        return false;
      }
      left--;
      if (out != null && ask.kind() == Ask.ECHO) {
        MemorySegment.copy(in.memory(), 0, out.memory(), 0, in.length());
        out.send(in.length());
      } else if (out != null) {
        ask.write(out.memory());
        out.send(Ask.BYTES);
      }
      in.release();
      return true;
    }
  }

  int serve(boolean isOnce) {
    try (ChannelHost host = ChannelHost.open(address, settings).listen()) {
      console.say("serves at " + host.address());
      while (!limit.isOver() && !(isOnce && peers > 0 && all.isEmpty())) {
        host.await(LOOK);
        accept(host.accept());
        for (int i = all.size() - 1; i >= 0; i--) {
          work(all.get(i));
        }
      }
    }
    return failures == 0 ? ExitStatus.DONE : ExitStatus.FAILED;
  }

  private void accept(Optional<Channel> channel) {
    channel.ifPresent(accepted -> {
      peers++;
      all.add(new Served(accepted));
    });
  }

  private void work(Served served) {
    boolean isOver =
        served.channel.state() == Channel.State.ENDED
            || served.channel.state() == Channel.State.FAILED;
    if (!isOver) {
      served.work();
      return;
    }
    FabricError error = served.channel.error();
    if (error != null) {
      failures++;
      console.warn(
          "a peer is lost: peer=%s, reason=%s".formatted(served.channel.peer(), error.text()));
    }
    all.remove(served);
    served.channel.close();
  }
}
