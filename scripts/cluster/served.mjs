// Which instance answered each call, and on which one its server ran.

const ANSWERED = "select journal, arguments from calls where outcome = 'ok'";

/**
 * `answered`: how many calls each instance answered, by its number. `forwarded`: how many of them ran on another
 * instance than the one that the client had reached.
 */
export async function servedCalls(storage, gateways, ledger) {
  const { rows } = await storage.calls.query(ANSWERED, 1_000_000);
  const runners = new Map(ledger.map(({ n, gateway }) => [n, gateways.numberOf(gateway)]));
  const keepers = new Map();
  const answered = [0, 0, 0];
  let forwarded = 0;
  for (const [journal, text] of rows) {
    if (!keepers.has(journal)) keepers.set(journal, gateways.keeperOf(journal));
    const keeper = keepers.get(journal);
    const runner = runners.get(/[a-z]+-\d+-\d+/.exec(String(text))?.[0]);
    if (keeper !== undefined) answered[keeper]++;
    if (keeper !== undefined && runner !== undefined && keeper !== runner) forwarded++;
  }
  return { answered, forwarded };
}
