#!/usr/bin/python3
"""Drops things on a window as a file manager does it: the source side of XDND, version 5.

    drop.py WINDOW X Y URI...

WINDOW is an X window's number, X and Y a place in it, each URI as it stands in a text/uri-list. Ends with 0 when the window
has said that it took them, and prints when it was let go, in nanoseconds of the monotonic clock; says why not otherwise.
"""
import select
import sys
import time

from Xlib import X, display
from Xlib.protocol import event

PATIENCE = 10.0


class Source:
    def __init__(self, window, uris):
        self.display = display.Display()
        self.root = self.display.screen().root
        self.target = self.display.create_resource_object("window", window)
        self.own = self.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        self.payload = "".join(uri + "\r\n" for uri in uris).encode("ascii")
        self.list_type = self.atom("text/uri-list")
        self.own.set_selection_owner(self.atom("XdndSelection"), X.CurrentTime)

    def atom(self, name):
        return self.display.intern_atom(name)

    def tell(self, kind, *words):
        words = [self.own.id, *words]
        words += [0] * (5 - len(words))
        message = event.ClientMessage(window=self.target, client_type=self.atom(kind), data=(32, words))
        self.target.send_event(message, event_mask=0)
        self.display.flush()

    def serve_until(self, wanted, deadline):
        """Hands the list to whoever asks, until a message of the wanted kind comes; its words."""
        while time.monotonic() < deadline:
            if not self.display.pending_events():
                select.select([self.display], [], [], max(deadline - time.monotonic(), 0))
                continue
            happening = self.display.next_event()
            if happening.type == X.SelectionRequest:
                asker = happening.requestor
                asker.change_property(happening.property, self.list_type, 8, self.payload)
                asker.send_event(
                    event.SelectionNotify(
                        time=happening.time,
                        requestor=asker,
                        selection=happening.selection,
                        target=happening.target,
                        property=happening.property,
                    )
                )
                self.display.flush()
            elif happening.type == X.ClientMessage and happening.client_type == self.atom(wanted):
                return happening.data[1]
        sys.exit(f"The window sent no {wanted}.")

    def drop(self, x, y):
        deadline = time.monotonic() + PATIENCE
        aware = self.target.get_full_property(self.atom("XdndAware"), X.AnyPropertyType)
        if aware is None:
            sys.exit("Nothing can be dropped on this window: it has no XdndAware.")
        place = self.root.translate_coords(self.target, x, y)
        version = min(5, aware.value[0])
        self.tell("XdndEnter", version << 24, self.list_type)
        self.tell("XdndPosition", 0, place.x << 16 | place.y, X.CurrentTime, self.atom("XdndActionCopy"))
        if not self.serve_until("XdndStatus", deadline)[1] & 1:
            sys.exit("The window does not want it.")
        print(time.monotonic_ns(), flush=True)
        self.tell("XdndDrop", 0, X.CurrentTime)
        self.serve_until("XdndFinished", deadline)


if __name__ == "__main__":
    Source(int(sys.argv[1]), sys.argv[4:]).drop(int(sys.argv[2]), int(sys.argv[3]))
