/** The small form of `npm run cluster`: three real instances on a real PostgreSQL, in some of its troubles. */

import { expect, it } from 'vitest';

import { runCluster } from '../../../scripts/cluster/run.mjs';
import { describeUnless, NO_POSTGRES } from '../../testing/left-out.js';
import { BIN } from '../command.js';

describeUnless(NO_POSTGRES, 'three instances without stickiness', () => {
  it('work as documented while one is killed, frozen or forged', { timeout: 240_000 }, async () => {
    const report = await runCluster({
      command: BIN,
      seconds: 16,
      killEvery: 6,
      // Longer than the lease of a server.
      freeze: 8,
      forge: 5,
      balancer: 'own',
      clients: 2,
    });
    expect(report.flaws).toEqual([]);
    expect(report.ends).toBeGreaterThan(0);
    expect(report.troubles).toHaveLength(2);
    const answered = report.calls.filter(({ is }) => is === 'ok');
    for (const era of ['session', 'stateless']) {
      expect(answered.filter((call) => call.era === era).length).toBeGreaterThan(0);
    }
    expect(report.decided).toBeGreaterThan(0);
    // Each server runs on one instance. All three answer calls, so they forward them.
    for (const count of report.answered) expect(count).toBeGreaterThan(0);
    expect(report.forwarded).toBeGreaterThan(0);
  });
});
