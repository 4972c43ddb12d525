#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Whether golden files that differ are to be rewritten.
func environmentSaysUpdate() -> Bool { getenv("TAPEDECK_UPDATE_GOLDEN") != nil }
