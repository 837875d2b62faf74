/** Three real instances on a real PostgreSQL. The one that runs the server is asked to end, again and again. */

import { expect, it } from 'vitest';

import { runCluster } from '../../../scripts/cluster/run.mjs';
import { describeUnless, NO_POSTGRES } from '../../testing/left-out.js';
import { BIN } from '../command.js';

/** `npm run test:drain` has ten. */
const DRAINS = Number(process.env['CALLSIGN_DRAINS'] ?? 2);

describeUnless(NO_POSTGRES, 'the instance that runs a server', () => {
  it(`ends ${DRAINS} times under load without a failed call`, { timeout: 600_000 }, async () => {
    const report = await runCluster({
      command: BIN,
      // The run ends after the last drain.
      seconds: 1_000,
      killEvery: 1,
      ends: DRAINS,
      target: 'owner',
      signal: 'SIGTERM',
      balancer: 'own',
      clients: 2,
    });
    expect(report.ends).toBe(DRAINS);
    // Among these checks: the server counts its calls, and none of them came twice.
    expect(report.flaws).toEqual([]);
    const failed = report.calls.filter(({ is }) => is !== 'ok' && is !== 'refused');
    expect(failed).toEqual([]);
    for (const era of ['session', 'stateless']) {
      const changes = report.calls.filter(
        (call) => call.era === era && call.is === 'ok' && call.tool === 'ledger:change',
      );
      expect(changes.length).toBeGreaterThan(DRAINS);
    }
    // Calls reached the server from all instances, so each drain moved calls of others.
    for (const count of report.answered) expect(count).toBeGreaterThan(0);
    expect(report.forwarded).toBeGreaterThan(DRAINS);
  });
});
