"""Asks for each URL that is given, and prints what requests made of it: a line each."""

import sys

import requests

# From the words of the cause to fewer of them.
CAUSES = ["Connection reset by peer", "Remote end closed connection without response", "Connection refused",
          "Read timed out", "BadStatusLine", "IncompleteRead", "InvalidChunkLength"]


def main():
    for url in sys.argv[1:]:
        try:
            answer = requests.get(url, timeout=2)
            print(f"{answer.status_code}, {len(answer.content)} octets")
        except requests.RequestException as error:
            text = repr(error)
            cause = next((cause for cause in CAUSES if cause in text), None)
            print(f"`{type(error).__name__}`" + (f" ({cause})" if cause else ""))


main()
