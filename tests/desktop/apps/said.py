"""What the test applications share: saying aloud what happened to them.

Each line on standard output is one event as JSON, written by the application itself. A scenario reads it as the
observation that owes nothing to the accessibility bus.
"""

import json


def say(event, value=None):
    """Tells of one event, at once."""
    print(json.dumps({"event": event, "value": value}), flush=True)
