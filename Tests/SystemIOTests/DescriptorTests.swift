import SystemIO
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct DescriptorTests {
    @Test func saysThatTheDiskIsFull() throws {
        let file = try Descriptor.open("/dev/full", O_WRONLY)
        let error = #expect(throws: SystemError.self) { try file.writeAll([1, 2, 3]) }
        #expect(error == SystemError(call: "write", path: "/dev/full", errno: ENOSPC))
    }

    @Test func closesWithItsOwner() throws {
        let number = try openAndDrop()
        // Another test may have been given the number meanwhile, but not for the same file.
        #expect(linked(number) != "/dev/full")
    }

    @Test func leavesANumberThatWasGivenAway() throws {
        let number = try Descriptor.open("/dev/full", O_WRONLY).release()
        #expect(linked(number) == "/dev/full")
        close(number)
    }

    @Test func isNotHandedToPrograms() throws {
        let file = try Descriptor.open("/dev/null", O_RDONLY)
        #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
    }

    private func openAndDrop() throws -> Int32 {
        let file = try Descriptor.open("/dev/full", O_WRONLY)
        #expect(linked(file.number) == "/dev/full")
        return file.number
    }

    private func linked(_ number: Int32) -> String? { try? Files.realPath("/proc/self/fd/\(number)") }
}
