extension ServerConnection {
    var isHeld: Bool { phase == .held }

    /// Keeps the connection, and nothing of its exchange but what is to be done in the end.
    func hold(_ exchange: ServerExchange) {
        exchange.isOver = true
        parting = exchange.parting
        phase = .held
        task = nil
        socket.onFailure = { [unowned self] in endHold() }
        socket.onReadable = { [unowned self] in dropWhatComes() }
        dropWhatComes()
    }

    private func dropWhatComes() {
        if isLeft() { return endHold() }
        guard socket.isTired else { return }
        let bound = LoopBound(self, on: loop)
        loop.execute {
            bound.value.socket.rest()
            if bound.value.isHeld { bound.value.dropWhatComes() }
        }
    }

    /// Drops what is there; says whether nothing more will come that matters.
    private func isLeft() -> Bool {
        dropAhead()
        while !sawEnd, !home.isStopping, !socket.isTired {
            switch socket.receive() {
            case .octets: continue
            case .end: sawEnd = true
            case .failed: return true
            case .wouldBlock: return false
            }
        }
        return sawEnd || home.isStopping
    }

    /// Ends the connection if it is held, and a handler's wait for the client.
    func endHold() {
        if phase == .waiting { socket.interrupt() }
        guard phase == .held else { return }
        phase = .ending
        socket.finish()
        socket.close()
        parting?()
        parting = nil
        home.forget(self)
    }
}
