import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readerOf } from '../../../packages/audit/src/testing/audit-rows.js';
import { shows } from '../../requirements/shows.js';
import { eventually, plain, startGateway, temporaryFolder } from '../gateway-process.js';
import { ENVELOPE } from '../stateless-envelope.js';

const servers = { kid: plain() };
const annotations = {
  'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
};

const NAMED = {
  ...ENVELOPE,
  'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1.0.0' },
};

describe('the record of calls', () => {
  it(
    'contains every call, refusals included, once the gateway has ended, with a valid hash chain',
    shows('ANN-29', 'ANN-35', async () => {
      const folder = join(temporaryFolder(), 'audit');
      const policy = {
        destructive: 'allow',
        rules: [{ when: 'has(args.no)', decision: 'deny' }],
      };
      const settings = { audit: { folder }, annotations, policy };
      const gateway = await startGateway({ servers, settings });
      const client = await gateway.connect({ name: 'raw-client' });
      await client.tools();
      await client.call('kid:add', { a: 1, b: 2, password: 'hunter2' });
      await client.call('kid:echo', { a: 1 });
      await client.call('kid:echo', { no: true });
      await client.call('kid:fail', {});
      gateway.endInput();
      await gateway.exited;
      const reader = readerOf(folder);
      const records = await reader.list({ limit: 100 });
      const calls = records.filter(({ kind }) => kind === 'call');
      expect(JSON.stringify(records)).not.toContain('hunter2');
      expect(calls).toMatchObject([
        { tool: 'kid:add', outcome: 'ok', risk: 'read', severity: 'info' },
        { tool: 'kid:echo', outcome: 'ok', risk: 'destructive', severity: 'warning' },
        { tool: 'kid:echo', outcome: 'policy-denied', severity: 'warning' },
        { tool: 'kid:fail', outcome: 'tool-error' },
      ]);
      expect(JSON.stringify(calls[0])).toContain('raw-client');
      expect(await reader.verify()).toMatchObject({ ok: true });
    }),
  );

  it.each(['session', 'stateless'] as const)(
    'contains calls to unknown tools, and to tools that the policy denies (%s) (S2)',
    async (era) => {
      const folder = join(temporaryFolder(), 'audit');
      const policy = { rules: [{ match: 'kid:echo', decision: 'deny' }] };
      const gateway = await startGateway({ servers, settings: { audit: { folder }, policy } });
      const client = await gateway.connect({ name: 'raw-client' });
      await client.tools();
      const meta = era === 'session' ? {} : { _meta: NAMED };
      for (const name of ['kid:nothing', 'kid:echo']) {
        await client.request('tools/call', { name, arguments: { key: 'hunter2' }, ...meta });
      }
      gateway.endInput();
      await gateway.exited;
      const records = await readerOf(folder).list({ limit: 100 });
      expect(JSON.stringify(records)).not.toContain('hunter2');
      const caller = { kind: 'call', client: 'raw-client', era };
      expect(records).toMatchObject([
        { ...caller, tool: 'kid:nothing', outcome: 'unknown', severity: 'notice', risk: null },
        {
          ...caller,
          tool: 'kid:echo',
          outcome: 'policy-denied',
          decision: 'deny',
          rule: 'policy.rules[0] (deny kid:echo)',
          risk: 'read',
          severity: 'info',
        },
      ]);
    },
  );

  it('is kept by default in the folder for the state of its user, and not at all if switched off', async () => {
    const [on, off] = [temporaryFolder(), temporaryFolder()];
    for (const [state, settings] of [
      [on, { audit: {} }],
      [off, { audit: { mode: 'off' } }],
    ] as const) {
      const gateway = await startGateway({ servers, settings, env: { XDG_STATE_HOME: state } });
      const client = await gateway.connect();
      await client.tools();
      await client.call('kid:add', { a: 1, b: 2 });
      gateway.endInput();
      await gateway.exited;
    }
    expect(existsSync(join(on, 'callsign', 'audit'))).toBe(true);
    expect(existsSync(join(off, 'callsign', 'audit'))).toBe(false);
  });

  it('that cannot be written stops calls in strict mode only, until it can be written', async () => {
    const folder = '/dev/null/audit';
    const strict = await startGateway({ servers, settings: { audit: { mode: 'strict', folder } } });
    const refused = await strict.connect();
    await refused.tools();
    const { error } = await refused.call('kid:add', { a: 1, b: 2 });
    expect(error).toMatchObject({ code: -32010, data: { code: 'not-recorded' } });

    const lenient = await startGateway({
      servers,
      settings: { audit: { folder } },
      listener: 'http',
    });
    const served = await lenient.connect();
    await served.tools();
    expect((await served.call('kid:add', { a: 1, b: 2 })).error).toBeUndefined();
    await served.call('kid:nothing', {});
    await eventually(async () => {
      const answer = await fetch(new URL('/metrics', lenient.url));
      const figures = await answer.text();
      return (
        /callsign_audit_trouble 1/.test(figures) && /callsign_unknown_names_total 1/.test(figures)
      );
    });
  });
});
