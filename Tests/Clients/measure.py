#!/usr/bin/env python3
"""What clients make of each fault: starts a deck, asks with each client, and prints a table.

curl, swiftc, node and Python with requests; those that are not there are left out. URLSession is the one of the Swift
toolchain on this machine.

Usage: Tests/Clients/measure.py [DECK]     default: .build/release/tapedeck
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

CUT = [(fault, part) for fault in ("stall", "truncatedBody", "connectionReset")
       for part in ("nothing", "head", "half", "allButEnd")]
ROWS = (["timeout", "offline", "emptyResponse"] + [f"{fault}, `{part}`" for fault, part in CUT]
        + ["malformedResponse", "malformedChunk", "wrongCoding", "redirectLoop"])
BODY = "0123456789" * 10


def configuration():
    routes = {}
    for number, row in enumerate(ROWS):
        fault, _, part = row.partition(", ")
        variant = {"fault": fault}
        if part:
            variant |= {"sends": part.strip("`"), "status": 200, "body": BODY}
        if fault in ("malformedChunk", "wrongCoding"):
            variant |= {"status": 200, "body": BODY}
        routes[f"r{number}"] = {"match": f"GET /{number}", "variants": {"default": variant}}
    return {"version": 1, "routes": routes}


def control(url, method, path, document):
    request = urllib.request.Request(url + path, json.dumps(document).encode(), method=method,
                                     headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def curl(urls):
    results = []
    for url in urls:
        options = ["-L", "--max-redirs", "5", "--compressed"]
        results.append(str(subprocess.call(
            ["curl", "-s", "-o", "/dev/null", "--max-time", "2", *options, url])))
    return results


def lines(command):
    return lambda urls: subprocess.run([*command, *urls], stdout=subprocess.PIPE, text=True).stdout.splitlines()


def clients(folder):
    found = {}
    if shutil.which("curl"):
        found["curl"] = curl
    if shutil.which("swiftc"):
        program = folder + "/urlsession"
        subprocess.check_call(["swiftc", "-parse-as-library", HERE + "/urlsession.swift", "-o", program])
        found["URLSession on Linux" if sys.platform == "linux" else "URLSession"] = lines([program])
    if shutil.which("node"):
        found["fetch (node)"] = lines(["node", HERE + "/fetch.mjs"])
    if subprocess.call([sys.executable, "-c", "import requests"], stderr=subprocess.DEVNULL) == 0:
        found["requests (Python)"] = lines([sys.executable, HERE + "/ask_requests.py"])
    return found


def main():
    deck = sys.argv[1] if len(sys.argv) > 1 else ROOT + "/.build/release/tapedeck"
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/tapedeck.json", "w") as out:
            json.dump(configuration(), out)
        process = subprocess.Popen(
            [deck, "replay", "--config", folder + "/tapedeck.json", "--listen", "localhost:0", "--control", "localhost:0",
             "--quiet", "--ready-file", folder + "/ready.json"], stdout=subprocess.DEVNULL)
        try:
            while not os.path.exists(folder + "/ready.json"):
                if process.poll() is not None:
                    raise SystemExit("the deck does not start")
                time.sleep(0.01)
            with open(folder + "/ready.json") as text:
                ready = json.load(text)
            refusing = control(ready["control"], "POST", "/sessions", {"name": "refusing", "port": True})["url"]
            control(ready["control"], "PUT", "/offline?session=refusing", {"offline": True})
            urls = [f"{ready['proxy']}/{number}" for number in range(len(ROWS))] + [refusing + "/"]
            columns = {name: ask(urls) for name, ask in clients(folder).items()}
        finally:
            process.terminate()
            process.wait()
    print("| fault | " + " | ".join(columns) + " |\n|---" * 1 + "|---" * len(columns) + "|")
    for number, row in enumerate(ROWS + ["offline, own port"]):
        print(f"| {row} | " + " | ".join(column[number] for column in columns.values()) + " |")


main()
