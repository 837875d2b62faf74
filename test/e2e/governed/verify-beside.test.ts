/** `audit verify` beside gateways that start, stop and are killed: what is in order is never called damaged. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { recordsIn, verifyFolder } from '../../../packages/audit/src/testing/audit-rows.js';
import { ROOT } from '../../architecture/tree.js';
import { plain, startGateway, temporaryFolder } from '../gateway-process.js';

const RUNS = 200;
const GATEWAYS = 24;
const AT_ONCE = 3;
const STARTS = 50;
const LIMIT_MS = 300_000;

/** A gateway that makes some calls and ends in one of three ways, at any moment. */
async function liveShortly(folder: string, i: number): Promise<void> {
  const audit = { mode: 'best-effort', folder, maxBytes: 1024 * 1024 };
  const gateway = await startGateway({ servers: { kid: plain() }, settings: { audit } });
  const client = await gateway.connect();
  await client.tools();
  const calls = Array.from({ length: 20 }, (_, n) =>
    client.call('kid:echo', { name: `${i} ${n}` }),
  );
  // A gateway that is killed answers only some of them.
  const answered = Promise.allSettled(calls);
  if (i % 3 === 0) await answered;
  else await sleep(Math.random() * 600);
  if (i % 3 === 0) gateway.endInput();
  else gateway.kill(i % 3 === 1 ? 'SIGTERM' : 'SIGKILL');
  await gateway.exited;
  await gateway.stop();
}

describe('verifying beside gateways', () => {
  it(
    'has no false alarm while they start, stop and are killed (G5)',
    async () => {
      const folder = join(temporaryFolder(), 'audit');
      let next = 0;
      const living = new Set(Array.from({ length: AT_ONCE }, (_, i) => i));
      const live = async (i: number): Promise<void> => {
        while (next < GATEWAYS) await liveShortly(folder, next++);
        living.delete(i);
      };
      const lives = Promise.all(Array.from(living, live));
      let runs = 0;
      while (living.size > 0 || runs < RUNS) {
        expect((await verifyFolder(folder)).flaws).toEqual([]);
        runs++;
        await sleep(5);
      }
      await lives;
      expect(recordsIn(folder).filter(({ kind }) => kind === 'alarm')).toEqual([]);
      expect(recordsIn(folder).length).toBeGreaterThan(GATEWAYS);
    },
    LIMIT_MS,
  );

  it(
    'finds no damaged anchor when many processes start at the same time (G5)',
    async () => {
      const folder = join(temporaryFolder(), 'audit');
      const script = join(ROOT, 'packages', 'audit', 'src', 'testing', 'one-call.mjs');
      const start = async (): Promise<string> => {
        const stdio = ['ignore', 'ignore', 'pipe'] as const;
        const child = spawn(process.execPath, [script, folder], { stdio: [...stdio] });
        const [said] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
        return said;
      };
      const said = await Promise.all(Array.from({ length: STARTS }, start));
      expect(said.filter((each) => each !== '')).toEqual([]);
      expect(await verifyFolder(folder)).toMatchObject({
        ok: true,
        journals: STARTS,
        calls: STARTS,
      });
    },
    LIMIT_MS,
  );
});
