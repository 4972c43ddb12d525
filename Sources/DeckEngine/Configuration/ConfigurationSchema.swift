/// The JSON Schema of `tapedeck.json`, for editors: `tapedeck check --schema` prints it, and `tapedeck.schema.json`
/// beside this file is its copy. A test holds its keys to those that the reader knows.
package let configurationSchema = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "tapedeck.json",
      "type": "object",
      "additionalProperties": false,
      "required": ["version"],
      "properties": {
        "$schema": {"type": "string"},
        "version": {"const": 1},
        "upstream": {"type": "string", "description": "The real server, as https://staging.example.com."},
        "upstreams": {"type": "object", "additionalProperties": {"type": "string"}},
        "allowUpstreams": {"$ref": "#/$defs/texts", "description": "Hosts that modes which connect may reach."},
        "ignoreHosts": {"$ref": "#/$defs/texts", "description": "Hosts that are passed on and not recorded."},
        "tunnel": {"$ref": "#/$defs/texts", "description": "Hosts whose HTTPS through the proxy is passed unseen."},
        "routes": {
          "type": "object",
          "additionalProperties": {
            "type": "object",
            "description": "A named request pattern.",
            "additionalProperties": false,
            "properties": {
              "match": {"type": "string", "description": "METHOD /path/{name}?item={value}; ?* takes any query. Or CONNECT HOST, for tunnels."},
              "auth": {"type": "boolean", "description": "It signs in: scenarios' * spares it."},
              "record": {"type": "boolean"},
              "graphql": {"type": "string", "description": "The operation that a request must name."},
              "optional": {"type": "boolean"},
              "restart": {"type": "boolean"},
              "clock": {"$ref": "#/$defs/texts", "description": "JSON pointers to the times in its answers, which the clock moves."},
              "playback": {
                "enum": ["repeatLast", "loop", "error", "followWrites"],
                "description": "What equal requests get once the recorded order is used up."
              },
              "variants": {"$ref": "#/$defs/variants"},
              "ignoreQuery": {"$ref": "#/$defs/texts", "description": "Query items that count as absent."},
              "ignoreBody": {"$ref": "#/$defs/texts", "description": "JSON pointers, * for any, to values of the body that count as absent."},
              "headers": {"$ref": "#/$defs/texts", "description": "Header fields that take part."},
              "body": {"enum": ["exact", "canonical", "ignore"], "description": "How bodies are compared."},
              "anyPath": {"$ref": "#/$defs/texts", "description": "Parameters of the path whose values all share one recording."},
              "substitute": {
                "type": "boolean",
                "description": "The answer gets the request's own values of anyPath in place of the recorded ones."
              }
            },
            "required": ["match"]
          }
        },
        "variants": {"$ref": "#/$defs/variants"},
        "scenarios": {
          "type": "object",
          "additionalProperties": {
            "type": "object",
            "additionalProperties": {"type": ["string", "array"]},
            "description": "Variant by route, * for every request but to sign in; extends: others."
          }
        },
        "scenario": {"type": "string", "description": "The one that is active at start."},
        "sanitize": {
          "type": "object",
          "description": "What is hidden, besides the defaults.",
          "additionalProperties": false,
          "properties": {
            "rules": {
              "type": "array",
              "items": {
                "type": "object",
                "description": "Places, and what becomes of the values there. Under a built-in rule's id it changes that one.",
                "additionalProperties": false,
                "required": ["id"],
                "properties": {
                  "id": {"type": "string"},
                  "headers": {"$ref": "#/$defs/texts", "description": "Names of header fields."},
                  "query": {"$ref": "#/$defs/texts", "description": "Names of query items."},
                  "form": {"$ref": "#/$defs/texts", "description": "Names of form fields and of parts."},
                  "cookies": {"$ref": "#/$defs/texts", "description": "Names of cookies, both ways."},
                  "names": {"$ref": "#/$defs/texts", "description": "Names wherever they stand."},
                  "json": {"$ref": "#/$defs/texts", "description": "JSON pointers, * for any."},
                  "path": {"$ref": "#/$defs/texts", "description": "Path templates, {name} for a segment to be hidden."},
                  "patterns": {"$ref": "#/$defs/texts", "description": "Regular expressions: groups, or the whole."},
                  "action": {
                    "enum": ["placeholder", "link", "remove", "fixed", "keepShape"],
                    "description": "link: no secret, but another value at each recording."
                  },
                  "value": {"type": "string", "description": "The text of the action fixed."},
                  "except": {"$ref": "#/$defs/texts", "description": "Names that a built-in rule leaves alone."}
                }
              }
            },
            "on": {"$ref": "#/$defs/texts", "description": "Ids of optional rules that hold."},
            "off": {"$ref": "#/$defs/texts", "description": "Ids of built-in rules that do not hold."},
            "secretsFrom": {"$ref": "#/$defs/texts", "description": "Environment variables whose values are secret."},
            "secretsFile": {"type": "string", "description": "A file with one secret a line."},
            "literals": {"$ref": "#/$defs/texts", "description": "Secrets in clear: better named by variable."},
            "pathSegments": {"$ref": "#/$defs/texts", "description": "Path templates whose parameters are secret."},
            "keepOnly": {
              "type": "object",
              "description": "Hides all but these.",
              "additionalProperties": false,
              "properties": {
                "headers": {"$ref": "#/$defs/texts", "description": "Fields that are kept."},
                "json": {"$ref": "#/$defs/texts", "description": "JSON pointers to what is kept."}
              }
            }
          }
        },
        "match": {
          "type": "object",
          "description": "Which parts of requests must be equal.",
          "additionalProperties": false,
          "properties": {
            "ignoreQuery": {"$ref": "#/$defs/texts", "description": "Query items that count as absent."},
            "ignoreBody": {"$ref": "#/$defs/texts", "description": "JSON pointers, * for any, to values of the body that count as absent."},
            "headers": {"$ref": "#/$defs/texts", "description": "Header fields that take part."},
            "body": {"enum": ["exact", "canonical", "ignore"], "description": "How bodies are compared."},
            "graphql": {"enum": ["exact", "operation", "hash"]}
          }
        },
        "volatile": {
          "type": "object",
          "description": "What differs with every recording and means nothing: such a difference alone rewrites no file.",
          "additionalProperties": false,
          "properties": {
            "headers": {"$ref": "#/$defs/texts", "description": "Header fields of requests and responses."},
            "query": {"$ref": "#/$defs/texts", "description": "Query items of URLs, wherever they stand."},
            "json": {"$ref": "#/$defs/texts", "description": "JSON pointers into bodies, * for any."}
          }
        },
        "playback": {
          "enum": ["repeatLast", "loop", "error", "followWrites"],
          "description": "What equal requests get once the recorded order is used up."
        },
        "clock": {
          "description": "The time that recorded answers tell: recorded, now, or a time as 2026-11-30T12:00:00Z.",
          "oneOf": [
            {"type": "string"},
            {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "at": {"type": "string"},
                "json": {"$ref": "#/$defs/texts", "description": "JSON pointers to times in all bodies."}
              }
            }
          ]
        },
        "latency": {"$ref": "#/$defs/latency"},
        "bandwidth": {"$ref": "#/$defs/bandwidth"},
        "listen": {"type": "string"},
        "control": {"type": "string"},
        "shim": {"type": "boolean", "description": "Tell faults that no server can cause in Tapedeck-URLError."},
        "missStatus": {"type": "integer", "minimum": 400, "maximum": 999},
        "expiresIn": {
          "type": "string", "pattern": "^[0-9]+[dw]$",
          "description": "The age at which a cassette is to be recorded again, as 30d or 4w."
        },
        "externalHosts": {"$ref": "#/$defs/texts", "description": "Hosts that URLs in answers may lead to, around the deck."},
        "seed": {"type": "integer", "minimum": 0},
        "maxBody": {"type": "integer", "minimum": 0, "description": "The largest body that is stored, in octets."},
        "limits": {
          "type": "object",
          "description": "What clients may ask of the listener; sizes in octets, times as 30s.",
          "additionalProperties": false,
          "properties": {
            "head": {"type": "integer", "minimum": 1024},
            "fields": {"type": "integer", "minimum": 1},
            "target": {"type": "integer", "minimum": 64},
            "connections": {"type": "integer", "minimum": 1},
            "headTime": {"type": "string"},
            "requestTime": {"type": "string"},
            "bodyTime": {"type": "string"},
            "idleTime": {"type": "string"},
            "writeTime": {"type": "string"}
          }
        }
      },
      "$defs": {
        "texts": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "variants": {
          "type": "object",
          "additionalProperties": {
            "type": "object",
            "description": "A named behavior of a route.",
            "additionalProperties": false,
            "properties": {
              "status": {"type": "integer", "minimum": 200, "maximum": 999},
              "headers": {
                "description": "Fields set (a string, a list for several lines) or removed (null); or lines.",
                "oneOf": [
                  {
                    "type": "object",
                    "additionalProperties": {
                      "oneOf": [
                        {"type": ["string", "number", "null"]},
                        {"type": "array", "items": {"type": ["string", "number"]}}
                      ]
                    }
                  },
                  {"type": "array", "items": {"type": "string"}}
                ]
              },
              "body": {"description": "A text, or any JSON value."},
              "bodyFile": {
                "type": "string",
                "description": "A file beside the configuration; {name} is filled from the route."
              },
              "set": {
                "type": "object",
                "description": "Values by JSON pointer, * for any; {\"$edge\": NAME} for veryLong, empty, emoji, rightToLeft, nonLatin, extremeNumber."
              },
              "remove": {"$ref": "#/$defs/texts", "description": "JSON pointers."},
              "keep": {
                "type": "object",
                "additionalProperties": {"type": "integer", "minimum": 0},
                "description": "The first so many items, by JSON pointer."
              },
              "repeat": {
                "type": "object",
                "additionalProperties": {"type": "integer", "minimum": 1},
                "description": "Items repeated to so many, by JSON pointer."
              },
              "emptyAt": {"$ref": "#/$defs/texts", "description": "JSON pointers to lists that are emptied."},
              "zeroAt": {"$ref": "#/$defs/texts", "description": "JSON pointers to numbers that become 0."},
              "latency": {"$ref": "#/$defs/latency"},
              "bandwidth": {"$ref": "#/$defs/bandwidth"},
              "fault": {
                "enum": [
                  "timeout",
                  "stall",
                  "offline",
                  "connectionReset",
                  "emptyResponse",
                  "truncatedBody",
                  "malformedResponse",
                  "malformedChunk",
                  "wrongCoding",
                  "redirectLoop",
                  "tlsHandshake",
                  "tlsExpired",
                  "tlsWrongHost",
                  "tlsUntrusted"
                ],
                "description": "A failure on the wire."
              },
              "sends": {
                "enum": ["nothing", "head", "half", "allButEnd"],
                "description": "How much of the answer stall, truncatedBody and connectionReset let through."
              },
              "after": {
                "type": "integer",
                "minimum": 0,
                "description": "Exchanges that pass before the first that counts."
              },
              "times": {"type": "integer", "minimum": 1, "description": "How often it acts at most."},
              "every": {"type": "integer", "minimum": 1},
              "probability": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
              "for": {
                "type": "string",
                "description": "How long it acts.",
                "pattern": "^[0-9]+(\\.[0-9]+)?(us|µs|ms|s|m|min|h)$"
              },
              "when": {
                "type": "object",
                "description": "It ends when the route was used so many times since it began.",
                "additionalProperties": false,
                "properties": {"route": {"type": "string"}, "times": {"type": "integer", "minimum": 1}},
                "required": ["route"]
              },
              "then": {"type": "string", "description": "The variant that follows."}
            }
          }
        },
        "latency": {
          "description": "none, recorded, a time, or a model.",
          "oneOf": [
            {"enum": ["none", "recorded"]},
            {
              "type": "string",
              "description": "The same for every answer.",
              "pattern": "^[0-9]+(\\.[0-9]+)?(us|µs|ms|s|m|min|h)$"
            },
            {
              "type": "object",
              "description": "As recorded.",
              "additionalProperties": false,
              "properties": {
                "recorded": {
                  "type": "object",
                  "description": "Times as recorded, divided by speed.",
                  "additionalProperties": false,
                  "properties": {"speed": {"type": "number", "exclusiveMinimum": 0}}
                }
              },
              "required": ["recorded"]
            },
            {
              "type": "object",
              "description": "A range.",
              "additionalProperties": false,
              "properties": {
                "uniform": {
                  "type": "object",
                  "description": "Evenly spread.",
                  "additionalProperties": false,
                  "properties": {
                    "min": {
                      "type": "string",
                      "description": "The least.",
                      "pattern": "^[0-9]+(\\.[0-9]+)?(us|µs|ms|s|m|min|h)$"
                    },
                    "max": {
                      "type": "string",
                      "description": "The most.",
                      "pattern": "^[0-9]+(\\.[0-9]+)?(us|µs|ms|s|m|min|h)$"
                    }
                  },
                  "required": ["min", "max"]
                }
              },
              "required": ["uniform"]
            },
            {
              "type": "object",
              "description": "As real networks are.",
              "additionalProperties": false,
              "properties": {
                "lognormal": {
                  "type": "object",
                  "description": "Long-tailed.",
                  "additionalProperties": false,
                  "properties": {
                    "median": {
                      "type": "string",
                      "description": "Half take at most this.",
                      "pattern": "^[0-9]+(\\.[0-9]+)?(us|µs|ms|s|m|min|h)$"
                    },
                    "p99": {
                      "type": "string",
                      "description": "99 of 100 take at most this.",
                      "pattern": "^[0-9]+(\\.[0-9]+)?(us|µs|ms|s|m|min|h)$"
                    }
                  },
                  "required": ["median", "p99"]
                }
              },
              "required": ["lognormal"]
            }
          ]
        },
        "bandwidth": {
          "description": "Octets per second, or a network's name.",
          "oneOf": [{"type": "integer", "minimum": 1}, {"enum": ["gprs", "edge", "3g", "lte", "wifi"]}]
        }
      }
    }

    """#
