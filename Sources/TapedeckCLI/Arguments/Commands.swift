/// The table of commands, in the order of the program's help.
package enum Commands {
    static let record = CommandSpec(
        "record", summary: "record real exchanges into a sanitized cassette",
        usage: "record [--upstream [NAME=]URL …] [options] CASSETTE [-- COMMAND …]",
        discussion: [
            "With --upstream, requests to the deck's own address go there (reverse proxy). Requests with an absolute"
                + " URL go to their own host (forward proxy: set http_proxy), and so does HTTPS through the proxy (set"
                + " https_proxy), with a certificate of the deck's authority: see tapedeck ca.",
            "With COMMAND, records while it runs; it finds the deck's address in TAPEDECK_URL.",
        ],
        operands: 1...1, takesCommand: true,
        options: [Options.upstream, Options.upstreamPorts, Options.noRewrite, Options.mode, Options.prune]
            + [Options.twice] + Options.serving + Options.answering + [Options.maxBody, Options.maxMatchBody]
            + Options.connecting + Options.https + Options.sessions + Options.run,
        examples: [
            "tapedeck record --upstream https://staging.example.com cassettes/checkout",
            "tapedeck record --upstream https://staging.example.com cassettes/checkout -- swift test",
            "tapedeck record --twice --upstream https://staging.example.com cassettes/checkout -- ./flow.sh",
        ])

    static let replay = CommandSpec(
        "replay", summary: "answer from a cassette; never touch the network",
        usage: "replay [options] [CASSETTE] [-- COMMAND …]",
        discussion: [
            "Without CASSETTE only routes that bring their own answer are played.",
            "A request that is not in the cassette is a miss: it gets status 599 with the nearest interactions and"
                + " what to change.",
        ],
        operands: 0...1, takesCommand: true,
        options: Options.serving + Options.answering
            + [Options.missStatus, Options.maxBody, Options.maxMatchBody, Options.upstream]
            + [Options.upstreamPorts, Options.noRewrite, Options.forwardOnly]
            + Options.https + Options.sessions + Options.run,
        examples: [
            "tapedeck replay cassettes/checkout",
            "tapedeck replay --strict cassettes/checkout -- swift test",
            "tapedeck replay --fault 'GET /api/v1/items=timeout' cassettes/checkout",
        ])

    static let passthrough = CommandSpec(
        "passthrough", summary: "forward live and store nothing; faults and latency act",
        usage: "passthrough --upstream URL [options] [-- COMMAND …]",
        operands: 0...0, takesCommand: true,
        options: [Options.upstream, Options.upstreamPorts, Options.noRewrite] + Options.serving + Options.answering
            + Options.connecting + Options.https + Options.sessions + Options.run,
        examples: ["tapedeck passthrough --upstream https://staging.example.com --latency 2s"])

    static let demo = CommandSpec(
        "demo", summary: "the whole story on this machine, with a built-in backend",
        usage: "demo [--keep DIR]",
        discussion: [
            "Starts a small backend, records it, replays it without it, and breaks it on purpose. Takes a few"
                + " seconds and needs no network."
        ],
        operands: 0...0, options: [Options.keep], examples: ["tapedeck demo"])

    static let show = CommandSpec(
        "show", summary: "an interaction as people read it",
        usage: "show [--body|--json] CASSETTE [NAME …]",
        discussion: [
            "NAME is a file name as tapedeck ls gives it, or the beginning of one. Without NAME all are shown."
        ],
        operands: 1...Int.max, options: [Options.body, Options.json],
        examples: [
            "tapedeck show cassettes/checkout get-api-v1-items",
            "tapedeck show --body cassettes/checkout get-images-logo > logo.png",
        ])

    static let ls = CommandSpec(
        "ls", summary: "the interactions of a cassette, one a line", usage: "ls [--json] CASSETTE",
        operands: 1...1, options: [Options.json], examples: ["tapedeck ls cassettes/checkout"])

    static let diff = CommandSpec(
        "diff", summary: "what is different between two cassettes", usage: "diff [--config FILE] [--json] A B",
        discussion: [
            "New, gone and changed interactions, by status, field and JSON value; dates and request ids do not count."
                + " Ends with 1 where something differs."
        ],
        operands: 2...2, options: [Options.config, Options.json],
        examples: ["tapedeck diff /tmp/before/checkout cassettes/checkout"])

    static let status = CommandSpec(
        "status", summary: "the cassettes of a folder: age, counts, what nobody needs",
        usage: "status [--report FILE] [--json] DIR",
        discussion: ["With the report of a run, also the interactions that it did not ask for."],
        operands: 1...1, options: [Options.report, Options.json], examples: ["tapedeck status cassettes"])

    static let verdict = CommandSpec(
        "verdict", summary: "one verdict over the reports of several runs",
        usage: "verdict [--junit FILE] [--report FILE] [--json] REPORT …",
        discussion: ["An interaction is unused only if no run asked for it. Ends with 1 where a check fails."],
        operands: 1...Int.max, options: [Options.junit, Options.report, Options.json],
        examples: ["tapedeck verdict shard-1.json shard-2.json"])

    static let ctl = CommandSpec(
        "ctl", summary: "steer a running deck", usage: "ctl [options] ACTION [WORD …]",
        discussion: [
            """
            actions:
              health                 is it up, and what has it counted
              routes                 the routes, with the variant of each
              scenario               the scenarios
              scenario NAME|none     choose one, or none; with `at-once` behind it what is
                                     held or delayed ends, too
              variant ROUTE VARIANT  choose the variant of one route
              latency LATENCY        none, recorded, or a time such as 750ms
              offline on|off         answer as if there were no network
              expire-token           one 401 for the next request that needs a token
              reset                  begin anew: choices, faults' counters, recorded order,
                                     journal; what was counted stays
              reload                 read the configuration again
              events                 what happens, as it happens, until the deck stops
              metrics                figures for Prometheus
              openapi                the description of the control API
              schema                 the JSON Schema of tapedeck.json
              sessions               the sessions beside the default one
              session NAME [CASSETTE] make one, on a cassette below the deck's folder
              close NAME             close one: write what it recorded, print its report
              journal [SESSION]      what a session has seen
              assert [JSON]          what it should have seen, by options or as JSON; or 1
              stop                   drain, stop, print the verdict; 1 if it failed
              wait                   return once the deck takes requests
            """
        ],
        operands: 1...3,
        options: [Options.controlURL, Options.token, Options.wait, Options.json] + Options.steering,
        examples: [
            "tapedeck ctl variant itemList serverError", "tapedeck ctl offline on",
            "tapedeck ctl session login-test --scenario signed-out",
            "tapedeck ctl assert --session login-test --route login --calls 1",
        ])

    static let ca = CommandSpec(
        "ca", summary: "the certificate authority for HTTPS through the proxy",
        usage: "ca [options] create|show|path|trust",
        discussion: [
            """
            actions:
              create   make it, which the first HTTPS through the proxy does, too
              show     whose it is, how long it holds, its fingerprint
              path     the file of its certificate, for clients to trust
              trust    what to type so that an app or a system trusts it
            """,
            "The private key stays in the folder, readable for you alone, and is never printed. Whoever has it can"
                + " read what a machine that trusts the authority says to anybody: trust it on machines for testing,"
                + " and in apps' debug builds.",
        ],
        operands: 1...1, options: [Options.caDir, Options.permit, Options.force, Options.json],
        examples: ["tapedeck ca trust", "curl --cacert \"$(tapedeck ca path)\" -x localhost:4750 https://example.com/"])

    static let check = CommandSpec(
        "check", summary: "the configuration, whole", usage: "check [--config FILE | --schema]",
        discussion: [
            "All problems are reported at once, each with its path; routes that take no request are warned of."
        ],
        operands: 0...0, options: [Options.config, Options.schema],
        examples: ["tapedeck check", "tapedeck check --schema > tapedeck.schema.json"])

    static let completion = CommandSpec(
        "completion", summary: "a script that completes words in your shell", usage: "completion bash|zsh|fish",
        operands: 1...1, examples: ["source <(tapedeck completion bash)"])

    static let scan = CommandSpec(
        "scan", summary: "secrets left in cassettes and other files", usage: "scan [options] PATH…",
        discussion: [
            "Looks with the rules of today, and with detectors that know no rules. Each finding is file, place, rule and"
                + " a masked excerpt; with findings it ends with 1."
        ],
        operands: 1...Int.max, options: [Options.config, Options.secretEnv, Options.json],
        examples: ["tapedeck scan cassettes", "tapedeck scan --json export.har"])

    static let sanitize = CommandSpec(
        "sanitize", summary: "apply the rules of today to cassettes", usage: "sanitize [options] CASSETTE…",
        operands: 1...Int.max, options: [Options.config, Options.secretEnv],
        examples: ["tapedeck sanitize cassettes/checkout"])

    static let sanitizers = CommandSpec(
        "sanitizers", summary: "the built-in rules: what they hide, and why", usage: "sanitizers [--json]",
        discussion: ["A rule is switched off, or an optional one on, by its id in tapedeck.json, under \"sanitize\"."],
        operands: 0...0, options: [Options.config, Options.json])

    static let version = CommandSpec(
        "version", summary: "the program's version", usage: "version", operands: 0...0)

    static let help = CommandSpec(
        "help", summary: "this help, or a command's", usage: "help [COMMAND]", operands: 0...1)

    package static let all = [
        record, replay, passthrough, demo, show, ls, diff, status, verdict, scan, sanitize, sanitizers, ca, ctl, check,
        completion, version, help,
    ]
}
