import CassetteKit
package import HTTPCore

/// Reads the input as an interaction and as a manifest. What was taken must be the same after it was written, and be written
/// the same again; bodies must decode to octets without failing in another way than by an error.
package func fuzzCassetteFile(_ input: Bytes) {
    if let interaction = try? InteractionFormat.read(input, name: "get-a.000000.1.json", folder: "/nowhere") {
        let written = InteractionFormat.write(interaction)
        let again = try? InteractionFormat.read(written, name: "get-a.000000.1.json", folder: "/nowhere")
        precondition(again == interaction, "a written interaction reads otherwise")
        precondition(again.map { InteractionFormat.write($0) } == written, "writing again gives other octets")
        if let response = interaction.response { _ = try? response.body?.octets() }
    }
    if let manifest = try? ManifestFormat.read(input, path: "/nowhere/cassette.json") {
        let written = ManifestFormat.write(manifest)
        let again = try? ManifestFormat.read(written, path: "/nowhere/cassette.json")
        precondition(again == manifest, "a written manifest reads otherwise")
        precondition(again.map { ManifestFormat.write($0) } == written, "writing again gives other octets")
    }
}
