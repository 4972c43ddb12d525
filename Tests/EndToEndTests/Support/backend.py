"""A small foreign backend for the end-to-end tests: prints its port, then serves until it is killed.

/echo answers with the method and the body it got, /counter counts its calls, /slow waits before it answers,
/empty answers 204, /login hands out a token and a cookie that differ at every start.
With the files of a certificate and its key it speaks TLS.
"""

import http.server
import itertools
import json
import secrets
import ssl
import sys
import time

TOKEN = secrets.token_hex(24)
COOKIE = secrets.token_urlsafe(24)
COUNTER = itertools.count(1)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", content_type="application/json", fields=()):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.split("?")[0]
        if path == "/counter":
            self.answer(200, json.dumps({"calls": next(COUNTER)}).encode())
        elif path == "/empty":
            self.answer(204)
        elif path == "/slow":
            time.sleep(0.2)
            self.answer(200, b'{"slow": true}')
        elif path == "/login":
            document = {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600}
            self.answer(200, json.dumps(document).encode(), fields=[("Set-Cookie", f"sid={COOKIE}; Path=/; HttpOnly")])
        elif path == "/me":
            allowed = self.headers.get("Authorization") == f"Bearer {TOKEN}"
            self.answer(200 if allowed else 401, json.dumps({"allowed": allowed}).encode())
        elif path == "/bytes":
            self.answer(200, bytes(range(256)) * 64, "application/octet-stream")
        elif path.startswith("/echo"):
            self.answer(201 if self.command == "POST" else 200, self.command.encode() + b" " + body, "text/plain")
        else:
            self.answer(404, b'{"error": "no such thing"}')

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_any


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) == 3:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(sys.argv[1], sys.argv[2])
    # A handshake that does not end must hold up nobody else.
    server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    sys.exit(0)
