/**
 * The gateway is killed at any moment, on a plain configuration. `npm run test:kill` does it fifty times with
 * two thousand calls each.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fingerprintOf } from '../../../packages/audit/src/record/record-line.js';
import { readerOf, recordsIn } from '../../../packages/audit/src/testing/audit-rows.js';
import { ROOT } from '../../architecture/tree.js';
import { startGateway, temporaryFolder } from '../gateway-process.js';

const ROUNDS = Number(process.env['CALLSIGN_KILL_ROUNDS'] ?? 5);
const CALLS = Number(process.env['CALLSIGN_KILL_CALLS'] ?? 200);
const IN_FLIGHT = 16;
const TOOLS = ['read_note', 'write_note', 'poke'];

interface Place {
  readonly config: string;
  readonly state: string;
  readonly notes: string;
}

function place(): Place {
  const folder = temporaryFolder();
  const [config, notes] = [join(folder, 'mcp.json'), join(folder, 'notes')];
  const args = [join(ROOT, 'test', 'fixtures', 'noting-child.mjs'), notes];
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { notes: { command: process.execPath, args } } }),
  );
  return { config, notes, state: join(folder, 'state') };
}

/** Makes mixed calls, and kills the gateway when this number was answered. */
async function runAndKill(
  { config, state }: Place,
  round: number,
  killAfter: number,
): Promise<void> {
  const env = { XDG_STATE_HOME: state, HOME: state };
  const gateway = await startGateway({ servers: {}, config, env });
  const client = await gateway.connect();
  await client.tools();
  let [next, answered] = [0, 0];
  const callInTurn = async (): Promise<void> => {
    while (next < CALLS && !gateway.hasExited) {
      const i = next++;
      await client.call(`notes:${TOOLS[i % TOOLS.length]}`, { round, i });
      if (++answered === killAfter) gateway.kill('SIGKILL');
    }
  };
  const done = Promise.all(Array.from({ length: IN_FLIGHT }, callInTurn));
  await Promise.race([done, gateway.exited]);
  gateway.kill('SIGKILL');
  await gateway.exited;
  await gateway.stop();
}

describe('kill -9', () => {
  it(
    `${ROUNDS} times during ${CALLS} calls: every change that reached the server has its intent, once`,
    { timeout: ROUNDS * 60_000 },
    async () => {
      const where = place();
      const moments: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        moments.push(round === 0 ? 1 : Math.ceil(Math.random() * CALLS));
        await runAndKill(where, round, moments.at(-1)!);
      }
      const folder = join(where.state, 'callsign', 'audit');
      const why = `killed after ${moments.join()}`;
      const records = recordsIn(folder);
      const intents = records.filter(({ kind }) => kind === 'intent');
      const announced = intents.map((record) => (record as { fingerprint: string }).fingerprint);
      const notes = existsSync(where.notes) ? readFileSync(where.notes, 'utf8') : '';
      const reached = notes.trimEnd().split('\n').filter(Boolean).map(fingerprintOf);
      expect(reached.length, why).toBeGreaterThanOrEqual(ROUNDS);
      const known = new Set(announced);
      expect(
        reached.filter((each) => !known.has(each)),
        why,
      ).toEqual([]);
      expect(known.size, why).toBe(announced.length);
      expect(new Set(reached).size, why).toBe(reached.length);
      expect(new Set(records.map(({ id }) => id)).size, why).toBe(records.length);
      const ends = records.flatMap((record) =>
        record.kind === 'call' ? (record.intent ?? []) : [],
      );
      expect(new Set(ends).size, why).toBe(ends.length);
      const reader = readerOf(folder);
      expect(await reader.verify(), why).toMatchObject({
        flaws: [],
        ok: true,
        lost: 0,
        journals: ROUNDS,
      });
      const { total } = await reader.stats({});
      const calls = records.filter(({ kind }) => kind === 'call').length;
      expect(total.calls, why).toBe(calls + announced.length - ends.length);
      await reader.close();
    },
  );
});
