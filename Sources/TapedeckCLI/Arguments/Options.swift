/// All options of the program. An `OptionSpec` is also the key under which `Settings` finds its value.
package enum Options {
    // Serving
    static let listen = OptionSpec(
        "listen", .value("HOST:PORT"), "where clients connect; port 0 picks a free one", default: "localhost:4750")
    static let control = OptionSpec(
        "control", .value("HOST:PORT"), "where the control API listens, or off", default: "localhost:4751")
    static let controlToken = OptionSpec(
        "control-token", .value("TOKEN"), "what callers of the control API must show; needed beyond loopback")
    static let config = OptionSpec(
        "config", .value("FILE"), "the configuration file", default: "tapedeck.json, if there is one")
    static let readyFile = OptionSpec(
        "ready-file", .value("FILE"), "written with the addresses and the pid once requests are taken")

    // What clients get
    static let scenario = OptionSpec("scenario", .value("NAME"), "the scenario that is active at start")
    static let fault = OptionSpec(
        "fault", .repeated("PLAN"),
        "'ROUTE or METHOD PATH=VARIANT[,after=N][,times=N]'; a path without ? takes any query; repeatable")
    static let faultLog = OptionSpec(
        "fault-log", .value("FILE"), "write there at the end what acted on which exchange, besides default")
    static let faultPlan = OptionSpec(
        "fault-plan", .value("FILE"), "a run's fault log: exactly that acts again, and no scenario or --fault")
    static let watch = OptionSpec("watch", .flag, "read the configuration again whenever it changes")
    static let latency = OptionSpec(
        "latency", .value("LATENCY"), "none, recorded, or a time such as 750ms", default: "none")
    static let clock = OptionSpec(
        "clock", .value("TIME"), "recorded, now, or a time as 2026-11-30T12:00:00Z: recorded times move there",
        default: "recorded")
    static let seed = OptionSpec("seed", .value("N"), "what random decisions are made from", default: "1")
    static let missStatus = OptionSpec("miss-status", .value("STATUS"), "the status of a miss", default: "599")
    static let maxMatchBody = OptionSpec(
        "max-match-body", .value("OCTETS"), "a longer request body counts by its SHA-256", default: "1048576")

    static let maxBody = OptionSpec(
        "max-body", .value("OCTETS"), "a larger body passes, and its exchange is not stored", default: "67108864")

    // Upstreams
    static let upstream = OptionSpec(
        "upstream", .repeated("[NAME=]URL"), "the real server; the first takes requests that name none; repeatable")
    static let upstreamCA = OptionSpec("upstream-ca", .value("FILE"), "trust these certificates and no others (PEM)")
    static let upstreamCert = OptionSpec("upstream-cert", .value("FILE"), "show upstreams this certificate (PEM)")
    static let upstreamInsecure = OptionSpec(
        "upstream-insecure", .flag, "do not verify upstream certificates")
    static let connectTo = OptionSpec(
        "connect-to", .value("HOST:PORT"), "connect there, whatever the request's authority says")
    static let preserveHost = OptionSpec("preserve-host", .flag, "hand upstreams the client's own Host")
    static let upstreamPorts = OptionSpec(
        "upstream-ports", .value("RANGE|any"),
        "ports of their own for upstreams with names, as 4760-4769, in that order")
    static let noRewrite = OptionSpec(
        "no-rewrite", .flag, "leave the upstreams' addresses in answers as they are; else they lead to the deck")
    static let forwardOnly = OptionSpec(
        "forward-only", .flag, "take requests by their absolute URL only, where several upstreams are recorded")

    // HTTPS
    static let tunnel = OptionSpec(
        "tunnel", .repeated("HOST"),
        "pass HTTPS to this host unseen, as for an app that pins certificates; *.example.com for all below; repeatable")
    static let caDir = OptionSpec(
        "ca-dir", .value("DIR"), "the certificate authority's folder", default: "tapedeck/ca under XDG_DATA_HOME")
    static let permit = OptionSpec(
        "permit", .repeated("HOST"), "let it sign for this host and all below alone; repeatable")
    static let force = OptionSpec("force", .flag, "replace the one that is there")

    // Recording
    static let mode = OptionSpec(
        "mode", .value("MODE"), "all, new (replay what is there, record the rest) or once", default: "all")
    static let secretEnv = OptionSpec(
        "secret-env", .repeated("NAME"), "hide the value of this environment variable everywhere; repeatable")
    static let prune = OptionSpec("prune", .flag, "remove interactions that this run did not see")

    static let twice = OptionSpec(
        "twice", .flag, "run COMMAND twice and write what differs into the configuration, as rules to review")

    // Sessions
    static let sessionPorts = OptionSpec(
        "session-ports", .value("RANGE"),
        "ports for sessions, as 4800-4899: each session made by the control API gets one")
    static let autoSessions = OptionSpec("auto-sessions", .flag, "make a session that a request names on first sight")
    static let noDefaultSession = OptionSpec(
        "no-default-session", .flag, "a request that names no session is a miss")

    // The run
    static let strict = OptionSpec(
        "strict", .optionalValue("CHECK,…"), "end with 1 on misses, unused, repeats, hosts; alone: all")
    static let report = OptionSpec("report", .value("FILE"), "write the run's report there as JSON")
    static let junit = OptionSpec("junit", .value("FILE"), "write the verdict there as JUnit's XML")
    static let proxyEnv = OptionSpec(
        "proxy-env", .flag, "hand COMMAND http_proxy and https_proxy, in capitals too")
    static let log = OptionSpec("log", .value("FORM"), "text or json", default: "text")
    static let quiet = OptionSpec("quiet", .flag, "warnings and errors only")

    // Reading and steering
    static let json = OptionSpec("json", .flag, "write JSON, for machines")
    static let body = OptionSpec("body", .flag, "write the octets of the response's body and nothing else")
    static let controlURL = OptionSpec(
        "control", .value("URL"), "the deck's control address", default: "http://localhost:4751",
        variable: "TAPEDECK_CONTROL_URL")
    static let token = OptionSpec("control-token", .value("TOKEN"), "the deck's control token, if it has one")
    static let wait = OptionSpec("timeout", .value("TIME"), "how long wait waits", default: "30s")
    static let schema = OptionSpec("schema", .flag, "write the JSON Schema of tapedeck.json and nothing else")
    static let keep = OptionSpec("keep", .value("DIR"), "leave the cassette there")

    static let serving = [listen, control, controlToken, config, watch, readyFile]
    static let answering = [scenario, fault, faultPlan, faultLog, latency, clock, seed, secretEnv]
    static let connecting = [connectTo, upstreamCA, upstreamCert, upstreamInsecure, preserveHost]
    static let https = [tunnel, caDir]
    static let sessions = [sessionPorts, autoSessions, noDefaultSession]
    static let run = [strict, report, junit, proxyEnv, log, quiet]
}
