package io.linerate.apps.decode;

import io.linerate.decode.text.PacketPrinter;
import java.util.Optional;

/** Where decoded packets go: printed, into a file, or both. */
record PacketOutput(Optional<PacketPrinter> printer, Optional<PacketTable> table) {}
