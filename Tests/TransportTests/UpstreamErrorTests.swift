import HTTPCore
import TestSupport
import Testing

@testable import Transport

@Suite struct UpstreamErrorTests {
    @Test func asksWhetherTheBackendIsRunning() async throws {
        let upstream = try ScriptedUpstream(answering: "")
        let port = upstream.port
        upstream.stop()
        await upstream.wait { _ in true }
        let answer = try await withUpstreamClient { client in
            await (try client.start(.local(port, "GET", "/x?token=hush"))).answer()
        }
        let error = try #require(answer.error)
        #expect(error.status == 502)
        #expect(error.label == "upstream-connect")
        #expect(error.curlCode == 7)
        #expect(error.message.contains("Is the backend running at 127.0.0.1:\(port)?"))
        #expect(!error.message.contains("hush"))
    }

    @Test func tellsANameThatIsNotFound() async throws {
        let lookUps = UpstreamClient.nameLookups
        let error = try await withUpstreamClient { client in
            let request = UpstreamRequest(
                scheme: "http", authority: Authority(host: "no-such-host.invalid"), method: "GET",
                target: Bytes("/?token=hush".utf8), fields: Fields())
            return await (try client.start(request)).answer().error
        }
        #expect(error?.status == 502)
        #expect(error?.label == "upstream-name")
        #expect(error?.message.contains("no-such-host.invalid") == true)
        #expect(error?.message.contains("hush") == false)
        #expect(UpstreamClient.nameLookups > lookUps)
    }

    @Test func needsNoLookUpForAddressesAndLocalhost() {
        for host in ["127.0.0.1", "[::1]", "localhost", "app.localhost"] {
            let request = UpstreamRequest(
                scheme: "http", authority: Authority(host: host), method: "GET", target: Bytes("/".utf8),
                fields: Fields())
            #expect(!UpstreamPlace(request, UpstreamOptions()).isNamed)
        }
    }

    @Test func reachesLocalhostByName() async throws {
        let upstream = try ScriptedUpstream(answering: "HTTP/1.1 204 No Content\r\n\r\n")
        let answer = try await withUpstreamClient { client in
            var request = UpstreamRequest.local(upstream.port)
            request.authority.host = "localhost"
            return await (try client.start(request)).answer()
        }
        #expect(answer.isWhole)
    }

    @Test func tellsAConnectionThatClosesWithoutAnAnswer() async throws {
        let upstream = try ScriptedUpstream([[.readRequest, .close]])
        let error = try await exchange(upstream).error
        #expect(error?.label == "upstream-empty")
        #expect(error?.status == 502)
    }

    @Test func tellsAnUpstreamThatDoesNotBeginItsAnswer() async throws {
        let upstream = try ScriptedUpstream([[.readRequest, .hold]])
        let error = try await exchange(upstream, options: UpstreamOptions(headTimeout: .milliseconds(30))).error
        #expect(error?.label == "upstream-head-timeout")
        #expect(error?.status == 504)
        #expect(error?.message.contains("30 ms") == true)
        await upstream.wait { $0.ended == 1 }
    }

    @Test func tellsAnAnswerThatStalls() async throws {
        let upstream = try ScriptedUpstream([
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .hold]
        ])
        let answer = try await exchange(upstream, options: UpstreamOptions(idleTimeout: .milliseconds(30)))
        #expect(answer.bodyText == "hello")
        #expect(answer.error?.label == "upstream-idle-timeout")
        #expect(answer.error?.status == 504)
    }

    @Test func doesNotHoldTheClientsSlownessAgainstTheUpstream() async throws {
        let upstream = try ScriptedUpstream([[.readRequest, .send("HTTP/1.1 204 No Content\r\n\r\n")]])
        let options = UpstreamOptions(headTimeout: .milliseconds(30))
        let answer = try await withUpstreamClient(options) { client in
            let loop = try #require(EventLoop.current)
            let exchange = try client.start(.local(upstream.port, "PUT", "/", body: .length(2)))
            try await loop.sleep(for: .milliseconds(150))
            try await exchange.send(Bytes("ok".utf8))
            return await exchange.answer()
        }
        #expect(answer.isWhole)
    }

    @Test func saysWhenAPlainServerIsSpokenToInTLS() async throws {
        let upstream = try ScriptedUpstream([[.send("HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n"), .close]])
        let answer = try await withUpstreamClient { client in
            var request = UpstreamRequest.local(upstream.port)
            request.scheme = "https"
            return await (try client.start(request)).answer()
        }
        #expect(answer.error?.label == "upstream-tls")
        #expect(answer.error?.message.contains("http://") == true)
    }

    @Test func namesAFileOfCertificatesThatIsMissing() async throws {
        let upstream = try ScriptedUpstream([[.hold]])
        let options = UpstreamOptions(caFile: "/no/such/file.pem")
        let answer = try await withUpstreamClient(options) { client in
            var request = UpstreamRequest.local(upstream.port)
            request.scheme = "https"
            return await (try client.start(request)).answer()
        }
        #expect(answer.error?.label == "upstream-tls-files")
        #expect(answer.error?.message.contains("--upstream-ca") == true)
    }

    @Test(arguments: [
        (60, 502, "upstream-tls-verify", "--upstream-ca"), (58, 502, "upstream-tls-files", "--upstream-cert"),
        (28, 504, "upstream-connect-timeout", "in time"), (55, 502, "upstream-gone", "log"),
        (94, 502, "upstream-failed", "94"), (1, 502, "upstream-malformed", "https://"),
    ])
    func givesEachCodeWordsAndALabel(_ code: Int32, status: Int, label: String, part: String) {
        let context = CurlErrors.Context(text: "", systemError: 0, upstream: "a:1", hasAnswer: false)
        let error = CurlErrors.error(code, context)
        #expect(error.status == status)
        #expect(error.label == label)
        #expect(error.message.contains(part))
        #expect(error.message.hasPrefix("a:1: "))
        #expect(error.curlCode == Int(code))
    }
}
