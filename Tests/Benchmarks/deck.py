"""A deck for a benchmark, and what its process uses."""

import json
import os
import resource
import subprocess
import tempfile
import time


class Deck:
    """A running `tapedeck replay` with routes that bring their own answers."""

    def __init__(self, configuration):
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        program = os.environ.get("TAPEDECK", root + "/.build/release/tapedeck")
        self.folder = tempfile.TemporaryDirectory()
        ready = self.folder.name + "/ready.json"
        file = self.folder.name + "/tapedeck.json"
        with open(file, "w") as out:
            json.dump(configuration, out)
        self.process = subprocess.Popen(
            [program, "replay", "--config", file, "--listen", "127.0.0.1:0", "--control", "off", "--quiet",
             "--ready-file", ready], stdout=subprocess.DEVNULL)
        while not os.path.exists(ready):
            if self.process.poll() is not None:
                raise SystemExit("the deck does not start")
            time.sleep(0.01)
        with open(ready) as text:
            self.port = int(json.load(text)["proxy"].rsplit(":", 1)[1])

    def memory(self):
        """Resident memory in octets."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def request(path):
    return f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode()


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def allow_descriptors(count):
    """Raises the limit of open files for this process and the deck that it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))
