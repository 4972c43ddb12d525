/// The description of the control API, as `GET /openapi.json` gives it (OpenAPI 3.1). A test holds its paths to the table
/// of resources, and its schemas to the documents of `ControlAPI`.
let openAPIDocument = #"""
    {
      "openapi": "3.1.0",
      "info": {
        "title": "tapedeck control API",
        "version": "0.1.0",
        "description": "Drives a running deck. Changes are application/json, failures problem documents."
      },
      "security": [{}, {"token": []}],
      "paths": {
        "/health": {
          "get": {
            "operationId": "health",
            "summary": "Is the deck up, what does it do, what has it counted",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "responses": {
              "200": {
                "description": "The deck is up.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}
              },
              "400": {
                "description": "The request's body is malformed.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The request has a body larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/routes": {
          "get": {
            "operationId": "routes",
            "summary": "The configured routes, with the variant of each",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "responses": {
              "200": {
                "description": "The routes in the order of the configuration.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RouteList"}}}
              },
              "400": {
                "description": "The request's body is malformed.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The request has a body larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/scenarios": {
          "get": {
            "operationId": "scenarios",
            "summary": "The configured scenarios and which is active",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "responses": {
              "200": {
                "description": "The scenarios in alphabetical order.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ScenarioList"}}}
              },
              "400": {
                "description": "The request's body is malformed.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The request has a body larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/metrics": {
          "get": {
            "operationId": "metrics",
            "summary": "Figures in Prometheus' text format",
            "responses": {
              "200": {
                "description": "Exchanges, a histogram of their times, upstream connections.",
                "content": {"text/plain": {"schema": {"type": "string"}}}
              },
              "400": {
                "description": "The request's body is malformed.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The request has a body larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/events": {
          "get": {
            "operationId": "events",
            "summary": "What happens, as it happens (server-sent events)",
            "responses": {
              "200": {
                "description": "Events named exchange (ExchangeEvent) and change (ChangeEvent).",
                "content": {"text/event-stream": {"schema": {"type": "string"}}}
              },
              "400": {
                "description": "The request's body is malformed.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The request has a body larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/openapi.json": {
          "get": {
            "operationId": "openapi",
            "summary": "This document",
            "responses": {
              "200": {
                "description": "The description of this API.",
                "content": {"application/json": {"schema": {"type": "object"}}}
              },
              "400": {
                "description": "The request's body is malformed.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The request has a body larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/schema.json": {
          "get": {
            "operationId": "schema",
            "summary": "The JSON Schema of tapedeck.json",
            "responses": {
              "200": {
                "description": "A JSON Schema.",
                "content": {"application/schema+json": {"schema": {"type": "object"}}}
              },
              "400": {
                "description": "The request's body is malformed.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The request has a body larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/scenario": {
          "put": {
            "operationId": "chooseScenario",
            "summary": "Make a scenario the active one, or none",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ScenarioChoice"}}}
            },
            "responses": {
              "200": {
                "description": "It acts on the next exchange.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ScenarioList"}}}
              },
              "400": {
                "description": "The body is not the document that this resource takes.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/routes/{name}/variant": {
          "put": {
            "operationId": "chooseVariant",
            "summary": "Choose the variant of one route",
            "parameters": [
              {
                "name": "name",
                "in": "path",
                "required": true,
                "description": "The route's name.",
                "schema": {"type": "string", "minLength": 1}
              },
              {"$ref": "#/components/parameters/session"}
            ],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/VariantChoice"}}}
            },
            "responses": {
              "200": {
                "description": "It acts on the next exchange.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RouteState"}}}
              },
              "400": {
                "description": "The body is not the document that this resource takes.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/latency": {
          "put": {
            "operationId": "setLatency",
            "summary": "Delay every answer",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LatencyChoice"}}}
            },
            "responses": {
              "200": {
                "description": "It acts on the next exchange.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LatencyChoice"}}}
              },
              "400": {
                "description": "The body is not the document that this resource takes.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/offline": {
          "put": {
            "operationId": "setOffline",
            "summary": "Answer as if there were no network, or no longer",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OfflineChoice"}}}
            },
            "responses": {
              "200": {
                "description": "It acts on the next exchange.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OfflineChoice"}}}
              },
              "400": {
                "description": "The body is not the document that this resource takes.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/reset": {
          "post": {
            "operationId": "reset",
            "summary": "Begin the session anew: choices, counters and cursors as at start",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"type": "object", "description": "No members are needed."}}}
            },
            "responses": {
              "200": {
                "description": "The session is as at start.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}
              },
              "400": {
                "description": "The body is not the document that this resource takes.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/expire-token": {
          "post": {
            "operationId": "expireToken",
            "summary": "Give the next exchange of a route that does not sign in one 401",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"type": "object", "description": "No members are needed."}}}
            },
            "responses": {
              "200": {
                "description": "It acts on the next exchange.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ExpiryReport"}}}
              },
              "400": {
                "description": "The body is not the document that this resource takes.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/sessions": {
          "get": {
            "operationId": "sessions",
            "summary": "The sessions beside the default one",
            "responses": {
              "200": {
                "description": "By name.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SessionList"}}}
              },
              "400": {
                "description": "The request is malformed, or names what can not be.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          },
          "post": {
            "operationId": "makeSession",
            "summary": "Make a session",
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SessionRequest"}}}
            },
            "responses": {
              "200": {
                "description": "It takes requests.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SessionState"}}}
              },
              "400": {
                "description": "The request is malformed, or names what can not be.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "409": {
                "description": "The name is taken, or the deck can not do that.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/sessions/{name}": {
          "get": {
            "operationId": "session",
            "summary": "One session",
            "parameters": [
              {"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}
            ],
            "responses": {
              "200": {
                "description": "As it stands.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SessionState"}}}
              },
              "400": {
                "description": "The request is malformed, or names what can not be.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          },
          "delete": {
            "operationId": "closeSession",
            "summary": "Close a session: write what it recorded, and give its report",
            "parameters": [
              {"name": "name", "in": "path", "required": true, "schema": {"type": "string"}},
              {"name": "failed", "in": "query", "schema": {"type": "string"}, "description": "1: it counts for misses only"}
            ],
            "responses": {
              "200": {
                "description": "It is closed.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/StopReport"}}}
              },
              "400": {
                "description": "The request is malformed, or names what can not be.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "409": {
                "description": "The name is taken, or the deck can not do that.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/journal": {
          "get": {
            "operationId": "journal",
            "summary": "The exchanges of a session",
            "parameters": [
              {"$ref": "#/components/parameters/session"},
              {"name": "route", "in": "query", "schema": {"type": "string"}, "description": "The name of a route"},
              {"name": "method", "in": "query", "schema": {"type": "string"}, "description": "The method"},
              {"name": "path", "in": "query", "schema": {"type": "string"}, "description": "The path; a * at its end takes any rest"},
              {"name": "status", "in": "query", "schema": {"type": "integer"}, "description": "The status"},
              {"name": "outcome", "in": "query", "schema": {"type": "string"}, "description": "The word of an outcome, such as hit or miss"},
              {"name": "after", "in": "query", "schema": {"type": "integer"}, "description": "Only higher numbers"},
              {"name": "limit", "in": "query", "schema": {"type": "integer"}, "description": "At most so many, the newest"}
            ],
            "responses": {
              "200": {
                "description": "Oldest first.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/JournalPage"}}}
              },
              "400": {
                "description": "The request is malformed, or names what can not be.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/assertions": {
          "post": {
            "operationId": "assertExchanges",
            "summary": "Check what a session has seen",
            "parameters": [
              {"$ref": "#/components/parameters/session"}
            ],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Assertion"}}}
            },
            "responses": {
              "200": {
                "description": "Checked; passed says whether it holds.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AssertionResult"}}}
              },
              "400": {
                "description": "The request is malformed, or names what can not be.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "404": {
                "description": "There is no session, or none of what the request names.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/reload": {
          "post": {
            "operationId": "reload",
            "summary": "Read the configuration again",
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"type": "object", "description": "No members are needed."}}}
            },
            "responses": {
              "200": {
                "description": "It acts on new exchanges; sessions keep their cursors.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ReloadReport"}}}
              },
              "400": {
                "description": "The body is not the document that this resource takes.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "422": {
                "description": "The configuration has problems, all listed; the one before still holds.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        },
        "/stop": {
          "post": {
            "operationId": "stop",
            "summary": "Drain, stop, and give the verdict",
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"type": "object", "description": "No members are needed."}}}
            },
            "responses": {
              "200": {
                "description": "The deck has drained and written everything.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/StopReport"}}}
              },
              "400": {
                "description": "The body is not the document that this resource takes.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "401": {
                "description": "The control token is missing or wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "403": {
                "description": "The Host field does not name this listener.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "413": {
                "description": "The body is larger than 65,536 octets.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "415": {
                "description": "The body is not application/json.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
          }
        }
      },
      "components": {
        "parameters": {
          "session": {
            "name": "session",
            "in": "query",
            "required": false,
            "description": "The session; the default one where it is missing.",
            "schema": {"type": "string"}
          }
        },
        "securitySchemes": {
          "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Needed where the deck was started with --control-token."
          }
        },
        "schemas": {
          "SessionRequest": {
            "type": "object",
            "description": "Every member may be left out.",
            "properties": {
              "name": {"type": "string"},
              "cassette": {"type": "string", "description": "Below the folder that the deck was started with."},
              "mode": {"type": "string", "enum": ["record", "replay", "passthrough"]},
              "recordMode": {"type": "string", "enum": ["all", "new", "once"]},
              "scenario": {"type": "string"},
              "latency": {"type": "string"},
              "faults": {"type": "array", "items": {"type": "string"}},
              "seed": {"type": "integer", "minimum": 0},
              "timeToLive": {"type": "string", "description": "Without a request, as 10m."},
              "port": {"type": "boolean", "description": "Whether it gets a port of its own."}
            }
          },
          "SessionState": {
            "type": "object",
            "description": "A session.",
            "properties": {
              "name": {"type": "string"},
              "url": {"type": "string", "description": "The base URL for clients."},
              "prefixURL": {"type": "string", "description": "The path prefix on the port of the deck."},
              "mode": {"type": "string"},
              "cassette": {"type": "string"},
              "interactions": {"type": "integer", "minimum": 0},
              "scenario": {"type": "string"},
              "counts": {"$ref": "#/components/schemas/Counts"}
            },
            "required": ["name", "url", "prefixURL", "mode", "interactions", "counts"]
          },
          "SessionList": {
            "type": "object",
            "description": "All sessions but the default one.",
            "properties": {
              "sessions": {"type": "array", "items": {"$ref": "#/components/schemas/SessionState"}}
            },
            "required": ["sessions"]
          },
          "SessionEnd": {
            "type": "object",
            "description": "How a session ended.",
            "properties": {
              "failed": {"type": "boolean"}
            }
          },
          "JournalPage": {
            "type": "object",
            "description": "Exchanges of a session.",
            "properties": {
              "session": {"type": "string"},
              "total": {"type": "integer", "minimum": 0},
              "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
              "entries": {"type": "array", "items": {"$ref": "#/components/schemas/JournalRecord"}}
            },
            "required": ["session", "total", "counts", "entries"]
          },
          "JournalRecord": {
            "type": "object",
            "description": "One exchange; sanitized.",
            "properties": {
              "number": {"type": "integer", "minimum": 0},
              "time": {"type": "string"},
              "method": {"type": "string"},
              "target": {"type": "string"},
              "route": {"type": "string"},
              "near": {"type": "string"},
              "variant": {"type": "string"},
              "status": {"type": "integer", "minimum": 0},
              "outcome": {"type": "string"},
              "interaction": {"type": "string"},
              "octets": {"type": "integer", "minimum": 0},
              "duration": {"type": "number", "description": "Seconds."},
              "body": {"type": "string"}
            },
            "required": ["number", "time", "method", "target", "status", "outcome", "octets", "duration"]
          },
          "Assertion": {
            "type": "object",
            "description": "A filter, and what is expected of the exchanges that it takes.",
            "properties": {
              "route": {"type": "string"},
              "method": {"type": "string"},
              "path": {"type": "string"},
              "status": {"type": "integer", "minimum": 0},
              "outcome": {"type": "string"},
              "calls": {"type": "integer", "minimum": 0},
              "atLeast": {"type": "integer", "minimum": 0},
              "atMost": {"type": "integer", "minimum": 0},
              "never": {"type": "boolean"},
              "lastBody": {"description": "JSON by value, or the text of the body."},
              "order": {"type": "array", "items": {"$ref": "#/components/schemas/JournalFilter"}}
            }
          },
          "JournalFilter": {
            "type": "object",
            "description": "Which exchanges are meant.",
            "properties": {
              "route": {"type": "string"},
              "method": {"type": "string"},
              "path": {"type": "string"},
              "status": {"type": "integer", "minimum": 0},
              "outcome": {"type": "string"}
            }
          },
          "AssertionResult": {
            "type": "object",
            "description": "Whether the statement holds, and why.",
            "properties": {
              "passed": {"type": "boolean"},
              "calls": {"type": "integer", "minimum": 0},
              "explanation": {"type": "array", "items": {"type": "string"}}
            },
            "required": ["passed", "calls", "explanation"]
          },
          "Health": {
            "type": "object",
            "description": "The deck is up.",
            "properties": {
              "status": {"type": "string", "enum": ["ok", "stopping"]},
              "mode": {"type": "string", "enum": ["record", "replay", "passthrough"]},
              "version": {"type": "string"},
              "pid": {"type": "integer", "minimum": 0},
              "proxy": {"type": "string", "description": "The base URL for clients."},
              "cassette": {"type": "string", "description": "The cassette's folder."},
              "interactions": {"type": "integer", "minimum": 0},
              "scenario": {"type": "string", "description": "The active scenario; missing for none."},
              "offline": {
                "type": "boolean",
                "description": "Whether every exchange is answered as if there were no network."
              },
              "uptime": {"type": "number", "minimum": 0, "description": "Seconds since start."},
              "counts": {"$ref": "#/components/schemas/Counts"}
            },
            "required": ["status", "mode", "version", "pid", "proxy", "interactions", "offline", "uptime", "counts"]
          },
          "Counts": {
            "type": "object",
            "description": "What was counted since start.",
            "properties": {
              "requests": {"type": "integer", "minimum": 0},
              "hits": {"type": "integer", "minimum": 0},
              "misses": {"type": "integer", "minimum": 0},
              "faults": {"type": "integer", "minimum": 0}
            },
            "required": ["requests", "hits", "misses", "faults"]
          },
          "RouteList": {
            "type": "object",
            "description": "All routes.",
            "properties": {"routes": {"type": "array", "items": {"$ref": "#/components/schemas/RouteState"}}},
            "required": ["routes"]
          },
          "RouteState": {
            "type": "object",
            "description": "A route and how it behaves now.",
            "properties": {
              "name": {"type": "string"},
              "match": {"type": "string", "description": "Method and path template."},
              "variant": {"type": "string", "description": "What acts now."},
              "variants": {"type": "array", "items": {"type": "string"}, "description": "What can be chosen."},
              "auth": {"type": "boolean", "description": "Whether scenarios' * spares it."},
              "requests": {"type": "integer", "minimum": 0, "description": "Exchanges taken since start."}
            },
            "required": ["name", "match", "variant", "variants", "auth", "requests"]
          },
          "ScenarioList": {
            "type": "object",
            "description": "All scenarios.",
            "properties": {
              "active": {"type": "string", "description": "Missing for none."},
              "scenarios": {"type": "array", "items": {"$ref": "#/components/schemas/ScenarioState"}}
            },
            "required": ["scenarios"]
          },
          "ScenarioState": {
            "type": "object",
            "description": "A named choice of variants.",
            "properties": {
              "name": {"type": "string"},
              "entries": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "Variant by route; * stands for every request."
              }
            },
            "required": ["name", "entries"]
          },
          "ScenarioChoice": {
            "type": "object",
            "description": "The scenario to be active.",
            "properties": {
              "scenario": {
                "type": ["string", "null"],
                "description": "A configured scenario; null or missing for none."
              }
            },
            "required": []
          },
          "VariantChoice": {
            "type": "object",
            "description": "The variant to act.",
            "properties": {
              "variant": {
                "type": ["string", "null"],
                "description": "A variant of the route; null or missing gives it back to the scenario."
              }
            },
            "required": []
          },
          "LatencyChoice": {
            "type": "object",
            "description": "The delay of every answer.",
            "properties": {
              "latency": {
                "type": "string",
                "description": "none, recorded, or a time such as 750ms or 1.5s, a day at most.",
                "pattern": "^(none|recorded|[0-9]{1,6}(us|ms)|[0-9]{1,4}(\\.[0-9]{1,3})?s|[0-9]{1,3}(m|min)|[0-9]h)$",
                "examples": ["750ms"]
              }
            },
            "required": ["latency"]
          },
          "OfflineChoice": {
            "type": "object",
            "description": "Whether there is a network.",
            "properties": {"offline": {"type": "boolean", "description": "Whether there is no network."}},
            "required": ["offline"]
          },
          "ExpiryReport": {
            "type": "object",
            "description": "Tokens that are to expire.",
            "properties": {
              "pending": {
                "type": "integer",
                "minimum": 0,
                "description": "Exchanges that are still to get tokenExpired."
              }
            },
            "required": ["pending"]
          },
          "ReloadReport": {
            "type": "object",
            "description": "The configuration that acts now.",
            "properties": {
              "file": {"type": "string"},
              "routes": {"type": "integer", "minimum": 0},
              "scenarios": {"type": "integer", "minimum": 0},
              "remarks": {
                "type": "array",
                "items": {"type": "string"},
                "description": "What is gone, what needs a restart, and warnings."
              }
            },
            "required": ["file", "routes", "scenarios", "remarks"]
          },
          "StopReport": {
            "type": "object",
            "description": "The verdict.",
            "properties": {
              "passed": {"type": "boolean", "description": "Whether nothing failed that --strict asks for."},
              "counts": {"$ref": "#/components/schemas/Counts"},
              "failures": {"type": "array", "items": {"type": "string"}},
              "lines": {"type": "array", "items": {"type": "string"}, "description": "The summary for people."}
            },
            "required": ["passed", "counts", "failures", "lines"]
          },
          "ExchangeEvent": {
            "type": "object",
            "description": "An exchange has ended.",
            "properties": {
              "session": {"type": "string"},
              "number": {"type": "integer", "minimum": 0},
              "method": {"type": "string"},
              "target": {"type": "string"},
              "route": {"type": "string"},
              "variant": {"type": "string"},
              "status": {"type": "integer", "minimum": 0},
              "outcome": {"type": "string"},
              "octets": {"type": "integer", "minimum": 0},
              "milliseconds": {"type": "number"}
            },
            "required": ["session", "number", "method", "target", "status", "outcome", "octets", "milliseconds"]
          },
          "ChangeEvent": {
            "type": "object",
            "description": "Somebody changed what clients get.",
            "properties": {
              "what": {
                "type": "string",
                "enum": ["scenario", "variant", "latency", "offline", "token", "reset", "configuration"]
              },
              "route": {"type": "string"},
              "value": {"type": "string"}
            },
            "required": ["what"]
          },
          "Problem": {
            "type": "object",
            "description": "A failure (RFC 9457).",
            "properties": {
              "type": {"type": "string", "description": "Fixed, without variable parts."},
              "title": {"type": "string"},
              "status": {"type": "integer", "minimum": 0},
              "detail": {"type": "string"},
              "advice": {"type": "string", "description": "What to do next."},
              "problems": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Where several things are wrong."
              }
            },
            "required": ["type", "title", "status"]
          }
        }
      }
    }

    """#
