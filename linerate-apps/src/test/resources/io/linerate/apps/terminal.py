"""Runs a program in a pseudo-terminal: terminal.py ROWS COLUMNS PROGRAM [ARGUMENT]...

What the program writes goes to standard output. Lines of standard input say what the terminal does:
"keys HEX" types bytes, "size ROWS COLUMNS" makes it larger or smaller. The last line on standard
error is "status N" and then "restored" or "changed": how the program left the terminal's settings.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios


def resize(terminal, rows, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))


def obey(terminal, line):
    words = line.split()
    if words[0] == "keys":
        os.write(terminal, bytes.fromhex(words[1]))
    elif words[0] == "size":
        resize(terminal, words[1], words[2])


def relay(terminal):
    """Until the program has closed the terminal."""
    commands = b""
    sources = [terminal, 0]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if terminal in ready:
            try:
                output = os.read(terminal, 65536)
            except OSError:
                return
            if not output:
                return
            os.write(1, output)
        if 0 in ready:
            more = os.read(0, 4096)
            if not more:
                sources.remove(0)
            commands += more
            while b"\n" in commands:
                line, commands = commands.split(b"\n", 1)
                obey(terminal, line.decode())


def main():
    child, terminal = pty.fork()
    if child == 0:
        resize(0, sys.argv[1], sys.argv[2])
        os.execvp(sys.argv[3], sys.argv[3:])
    before = termios.tcgetattr(terminal)
    relay(terminal)
    after = termios.tcgetattr(terminal)
    _, status = os.waitpid(child, 0)
    how = "restored" if after == before else "changed"
    print("status", os.waitstatus_to_exitcode(status), how, file=sys.stderr, flush=True)


main()
