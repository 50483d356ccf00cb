"""How far a long work has come: a line on a terminal, and nothing where there is none."""

import sys
import threading
import time


class Progress:
    """`done of all`, the seconds since the beginning, and what is at work, written anew each
    second inside `with`, on a stream that is a terminal. `hide` makes room for what is printed.
    """

    def __init__(self, of, stream=None):
        self.of, self.stream = of, stream or sys.stderr
        self.shows, self.done, self.label = self.stream.isatty(), 0, None
        self.turn, self.ended = threading.Lock(), threading.Event()

    def __enter__(self):
        self.begun = time.monotonic()
        if self.shows:
            threading.Thread(target=self._tick, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.hide()

    def at(self, done, label):
        """So much is done, and this is at work."""
        with self.turn:
            self.done, self.label = done, label
            self._draw()

    def hide(self):
        with self.turn:
            self.label = None
            self._draw()

    def _tick(self):
        while not self.ended.wait(1):
            with self.turn:
                self._draw()

    def _draw(self):
        if self.shows:
            self.stream.write(f"\r\033[K{'' if self.label is None else self._line()}")
            self.stream.flush()

    def _line(self):
        full = 24 * self.done // self.of if self.of else 0
        seconds = time.monotonic() - self.begun
        return (
            f"{'█' * full}{'░' * (24 - full)} {self.done} of {self.of}, {seconds:.0f} s  "
            f"{self.label}"[:79]
        )
