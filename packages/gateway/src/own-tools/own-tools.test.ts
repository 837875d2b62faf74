import { resultOf, type Call } from '@callsign/core';
import { READ_ONLY_DEFAULT, WRITE_DESTRUCTIVE } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { until } from '../../../../test/e2e/serve/until.js';
import { configured, plain, serveAll } from '../testing/served.js';
import type { OwnTool } from './own-tools.js';

/** A tool of the gateway, and the calls that it got. */
function ownTool(more: Partial<OwnTool> = {}) {
  const calls: Call[] = [];
  const tool: OwnTool = {
    name: 'ping',
    title: 'Ping',
    description: 'Answers.',
    inputSchema: { type: 'object' },
    annotations: READ_ONLY_DEFAULT,
    isOn: () => true,
    call: (call) => {
      calls.push(call);
      return Promise.resolve(resultOf({ content: [], structuredContent: { pong: true } }));
    },
    ...more,
  };
  return { tool, calls };
}

describe('a tool of the gateway itself', () => {
  it('is listed after the tools of servers, with the label that it states, and can be called', async () => {
    const { tool, calls } = ownTool();
    const served = await serveAll({ fs: plain() }, {}, { ownTools: [tool] });
    const client = await served.connect('claude-ai');
    expect((await client.tools()).at(-1)).toMatchObject({
      name: 'callsign__ping',
      annotations: { ...READ_ONLY_DEFAULT, title: 'Callsign — Ping' },
    });
    const reply = await client.call('callsign__ping', { a: 1 });
    expect(reply.result).toMatchObject({ structuredContent: { pong: true } });
    expect(calls[0]?.arguments).toEqual({ a: 1 });
    expect(served.gateway.hub.entry('tool', 'callsign:ping')).toMatchObject({ risk: 'read' });
  });

  it('passes policy and roles like every other tool', async () => {
    const writes = ownTool({ name: 'wipe', annotations: WRITE_DESTRUCTIVE });
    const reads = ownTool();
    const settings = {
      policy: { rules: [{ match: 'callsign:wipe', decision: 'deny' }] },
      access: { anonymous: ['reader'] },
      roles: { reader: { allow: ['fs:*', 'callsign:wipe'] } },
    };
    const ownTools = [writes.tool, reads.tool];
    const served = await serveAll({ fs: plain() }, settings, { ownTools });
    const client = await served.connect();
    expect(await client.toolNames()).not.toContain('callsign:ping');
    expect((await client.call('callsign:ping')).error).toMatchObject({ code: -32602 });
    expect((await client.call('callsign:wipe')).result).toMatchObject({ isError: true });
    expect([...writes.calls, ...reads.calls]).toEqual([]);
  });

  it('is listed only for clients for which its feature is on', async () => {
    const { tool } = ownTool({ isOn: (profile) => profile !== 'claude-code' });
    const served = await serveAll({ fs: plain() }, {}, { ownTools: [tool] });
    const [claude, other] = [await served.connect('claude-code'), await served.connect('cursor')];
    expect(await claude.toolNames()).not.toContain('callsign__ping');
    expect((await claude.call('callsign__ping')).error).toMatchObject({ code: -32602 });
    expect(await other.toolNames()).toContain('callsign__ping');
  });

  it('comes and goes with its feature, and clients are told', async () => {
    let isOn = false;
    const { tool } = ownTool({ isOn: () => isOn });
    const served = await serveAll({ fs: plain() }, {}, { ownTools: [tool] });
    const client = await served.connect();
    expect(await client.toolNames()).not.toContain('callsign:ping');
    isOn = true;
    await served.gateway.apply(configured({ fs: plain() }));
    await until(() => client.heard.includes('notifications/tools/list_changed'));
    expect(await client.toolNames()).toContain('callsign:ping');
  });

  it('is not for the quarantine to judge: that is for what others wrote', async () => {
    const { tool } = ownTool();
    const served = await serveAll({ fs: plain() }, { quarantine: 'on' }, { ownTools: [tool] });
    expect(await (await served.connect()).toolNames()).toContain('callsign:ping');
  });

  it('stays in the list where two tools stand for all servers', async () => {
    const { tool } = ownTool();
    const served = await serveAll({ fs: plain() }, { view: 'search' }, { ownTools: [tool] });
    const client = await served.connect();
    expect(await client.toolNames()).toEqual(['callsign:find', 'callsign:call', 'callsign:ping']);
    expect((await client.call('callsign:ping')).result).toBeDefined();
    const found = await client.call('callsign:find', { query: 'ping' });
    expect(JSON.stringify(found.result)).not.toContain('callsign:ping');
  });
});
