/** What was refused is recorded as what it was: its target, its label, its caller, the decision. */

import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { Home } from '../cli/callsign.js';
import { eventually, plain, startGateway } from '../gateway-process.js';
import { ENVELOPE } from '../stateless-envelope.js';

const annotations = {
  'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  'kid:env': { preset: 'READ_ONLY_DEFAULT' },
  'kid:pid': { preset: 'WRITE_DESTRUCTIVE' },
  'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
  'five:pid': { preset: 'WRITE_DESTRUCTIVE' },
  'five:echo': { preset: 'WRITE_DESTRUCTIVE' },
};
/** A role hides `pid`, and the policy denies `echo`. */
const SETTINGS = {
  annotations,
  aliases: { p: 'kid:pid' },
  renamed: { old: 'kid' },
  roles: {
    staff: { allow: ['*'], deny: ['*:pid', '*:greet', '*:plain://*'] },
  },
  access: { anonymous: ['staff'] },
  policy: { destructive: 'deny' },
  servers: { five: { view: 'crude' } },
  audit: {},
};

interface Recorded {
  readonly tool: string;
  readonly name: string;
  readonly outcome: string;
  readonly risk: string | null;
  readonly decision?: string;
  readonly severity: string;
}

describe('a refused call', () => {
  it('is recorded with its target, risk and decision, and its caller learns no more (S2, M2)', async () => {
    const home = new Home();
    const config = home.configure({ kid: plain(), five: plain() }, SETTINGS);
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    const gateway = await startGateway({ servers: {}, config, env });
    const client = await gateway.connect({ name: 'agent' });
    const tools = await client.tools();
    expect(tools).toContain('kid:add');
    expect(tools).not.toContain('kid:pid');
    expect(tools).not.toContain('kid:echo');

    for (const name of ['kid:pid', 'p', 'old:pid']) {
      const { error } = await client.call(name, {});
      expect(error?.code, name).toBe(-32602);
      expect(error?.message, name).toMatch(/^Tool (?:not found|name must be prefixed)/);
      expect(JSON.stringify(error?.data ?? {}), name).not.toMatch(/pid|echo/);
    }
    const stateless = await client.request('tools/call', {
      name: 'kid:pid',
      arguments: {},
      _meta: ENVELOPE,
    });
    expect(stateless.error?.code).toBe(-32602);
    expect((await client.request('prompts/get', { name: 'kid:greet' })).error?.code).toBe(-32602);
    const read = await client.request('resources/read', { uri: 'plain://static' });
    expect(read.error?.message).toContain('Resource not found');
    const behind = { operation: 'pid', params: {} };
    expect(JSON.stringify(await client.call('five:mcpaql_read', behind))).toContain(
      'There is no operation',
    );
    expect((await client.call('kid:echo', {})).result).toMatchObject({ isError: true });
    const denied = { operation: 'echo', params: {} };
    expect((await client.call('five:mcpaql_read', denied)).result).toMatchObject({ isError: true });
    const batch = await client.call('five:mcpaql_read', { operations: [denied] });
    expect(JSON.stringify(batch.result)).toContain('PERMISSION_DENIED');

    const listed = async (...args: string[]): Promise<Recorded[]> => {
      const { stdout } = await home.run(['audit', 'list', '--json', ...args]);
      return (JSON.parse(stdout) as { records: Recorded[] }).records;
    };
    const brief = ({ tool, outcome, risk, severity }: Recorded): string =>
      [tool, outcome, risk, severity].join(' ');
    await eventually(async () => (await listed('--decision', 'deny')).length === 10);
    const all = await listed('--decision', 'deny');
    expect(all.map(brief)).toEqual([
      'kid:pid access-denied destructive warning',
      'kid:pid access-denied destructive warning',
      'kid:pid access-denied destructive warning',
      'kid:pid access-denied destructive warning',
      'kid:greet access-denied read info',
      'kid:plain://static access-denied read info',
      'five:pid access-denied destructive warning',
      'kid:echo policy-denied destructive warning',
      'five:echo policy-denied destructive warning',
      'five:echo policy-denied destructive warning',
    ]);
    expect(await listed('--risk', 'destructive')).toHaveLength(8);
    expect(all[0]).toMatchObject({ client: 'agent', decision: 'deny' });
  });
});
