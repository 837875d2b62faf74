import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  eventually,
  everything,
  plain,
  startGateway,
  temporaryFolder,
  type RawClient,
  type ServerEntry,
} from '../gateway-process.js';
import { counted, startsIn } from './counted.js';
import { pidOf, textOf } from './tool-results.js';
import { ENVELOPE } from '../stateless-envelope.js';

const NAMED = {
  ...ENVELOPE,
  'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1' },
};

/** A call of a client without a session. */
async function callStateless(client: RawClient, name: string, args: object): Promise<string> {
  const params = { name, arguments: args, _meta: NAMED };
  return textOf((await client.request('tools/call', params)).result);
}

const ERAS: [string, ServerEntry][] = [
  ['of the session era', plain()],
  ['of the stateless era', plain('--stateless')],
  ['that decides by the first request', plain('--dual')],
];

describe('one start', () => {
  it.each(ERAS)('of a server %s is one process for all clients', async (_era, entry) => {
    const log = join(temporaryFolder(), 'starts');
    const gateway = await startGateway({ servers: { kid: counted(entry, log) } });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('kid:add');
    const pid = await pidOf(client, 'kid');
    expect(textOf(await client.result('kid:echo', { n: 1 }))).toBe('{"n":1}');
    expect(await callStateless(client, 'kid:echo', { n: 2 })).toBe('{"n":2}');
    expect(await pidOf(client, 'kid')).toBe(pid);
    expect(startsIn(log)).toBe(1);
  });

  it('of a child of both eras is one process, and a second one only for a client of the other era', async () => {
    const log = join(temporaryFolder(), 'starts');
    const gateway = await startGateway({
      servers: { kid: counted(everything(), log) },
      settings: { listWaitMs: 10_000 },
    });
    const client = await gateway.connect();
    const tools = await client.tools();
    const tool = tools.find((name) => name.includes('simple_text'))!;
    const said = textOf(await client.result(tool));
    expect(startsIn(log)).toBe(1);
    const answers = await Promise.all([1, 2, 3].map(() => callStateless(client, tool, {})));
    expect(answers).toEqual([said, said, said]);
    expect(startsIn(log)).toBe(2);
    await client.result(tool);
    expect(startsIn(log)).toBe(2);
    const family = gateway.processes();
    gateway.endInput();
    await gateway.exited;
    await eventually(() => gateway.processes().length === 0);
    expect(family.length).toBeGreaterThanOrEqual(3);
  });

  it('waits until the last run has ended', async () => {
    const log = join(temporaryFolder(), 'starts');
    const gateway = await startGateway({
      servers: { kid: counted(plain('--delay-start=20000'), log) },
      settings: {
        listWaitMs: 100,
        servers: { kid: { startTimeoutMs: 200 } },
        restart: { initialMs: 1, maxMs: 1, giveUpAfter: 4 },
      },
    });
    let most = 0;
    await eventually(() => {
      // One server, and the shell that watches it.
      most = Math.max(most, gateway.processes().length);
      return gateway.stderr.includes('gave up');
    });
    expect(startsIn(log)).toBe(4);
    expect(most).toBeLessThanOrEqual(2);
  });
});
