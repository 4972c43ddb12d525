// Asks for each URL that is given, and prints what fetch made of it: a line each.

for (const url of process.argv.slice(2)) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
    const body = await answer.arrayBuffer();
    console.log(`${answer.status}, ${body.byteLength} octets`);
  } catch (error) {
    const cause = error.cause?.code ?? error.cause?.message;
    console.log(`\`${error.name}\`${cause ? ` (${cause})` : ""}`);
  }
}
process.exit(0);
