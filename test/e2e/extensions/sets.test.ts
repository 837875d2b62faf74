/** Tasks, skills and resources follow the set of a client. */

import { createApiKey } from '@callsign/auth';
import { describe, expect, it } from 'vitest';

import { HttpPeer } from '../clients/http-peer.js';
import type { Era, Peer } from '../clients/peer.js';
import { errorOf, extended, gatewayWith, resultOf } from './extended.js';

const CLIENT = { capabilities: '{"extensions":{"io.modelcontextprotocol/tasks":{}}}' };

/** What a caller is told about a call that was refused: at once, or as the result of a task. */
async function refusal(peer: Peer, call: object): Promise<string> {
  const answer = await resultOf<{ task?: { taskId: string } }>(peer, 'tools/call', call);
  const { taskId } = answer.task ?? {};
  return JSON.stringify(taskId ? await resultOf(peer, 'tasks/result', { taskId }) : answer);
}

describe.each(['session', 'stateless'] as const)('in a set, in the %s era', (era: Era) => {
  const server = (name: string) => extended(`--${era}`, '--skills', '--tasks', `--name=${name}`);

  it('are the skills of its servers, and no others', async () => {
    const gateway = gatewayWith('http', {
      servers: { a: server('a'), b: server('b') },
      settings: { sets: { small: { servers: ['b'] }, other: { tools: ['a:echo'] } } },
    });
    const names = async (path: string): Promise<string[]> => {
      const peer = new HttpPeer(await gateway.url(path), era, CLIENT);
      await peer.open();
      const { skills } = await resultOf<{ skills: { frontmatter: { name: string } }[] }>(
        peer,
        'skills/list',
      );
      if (path === '/mcp/set/small') {
        const params = { uri: 'skill://a-only/SKILL.md' };
        expect(await errorOf(peer, 'skills/get', params)).toMatchObject({ code: -32602 });
        const { message } = await errorOf(peer, 'resources/read', params);
        expect(message).toContain('it is not in the set "small"');
      }
      return skills.map(({ frontmatter: { name } }) => name);
    };
    expect(await names('/mcp')).toEqual(['review', 'a-only', 'review', 'b-only']);
    expect(await names('/mcp/set/small')).toEqual(['review', 'b-only']);
    expect(await names('/mcp/set/other')).toEqual(['review', 'a-only']);
  });

  it('is no task of a tool outside, however it was started', async () => {
    const { key, hash } = createApiKey();
    const gateway = gatewayWith('http', {
      servers: { a: server('a') },
      settings: {
        auth: { keys: [{ name: 'ann', hash, roles: ['all'] }] },
        roles: { all: { allow: ['*'] } },
        sets: { small: { exclude: ['a:slow_compute'] } },
      },
    });
    const connected = async (path: string): Promise<Peer> => {
      const headers = { authorization: `Bearer ${key}` };
      const peer = new HttpPeer(await gateway.url(path), era, CLIENT, headers);
      await peer.open();
      return peer;
    };
    const [whole, small] = [await connected('/mcp'), await connected('/mcp/set/small')];
    const asked = {
      name: 'a:slow_compute',
      arguments: { seconds: 60 },
      ...(era === 'session' ? { task: { ttl: 60_000 } } : {}),
    };
    expect(await refusal(small, asked)).toContain('it is not in the set \\"small\\"');
    const begun = await resultOf<{ taskId: string; task?: { taskId: string } }>(
      whole,
      'tools/call',
      asked,
    );
    const { taskId } = begun.task ?? begun;
    const methods = [
      'tasks/get',
      'tasks/cancel',
      era === 'session' ? 'tasks/result' : 'tasks/update',
    ];
    for (const method of methods) {
      const params = { taskId, ...(method === 'tasks/update' ? { inputResponses: {} } : {}) };
      expect(await errorOf(small, method, params), method).toMatchObject({ code: -32602 });
    }
    if (era === 'session') expect(await resultOf(small, 'tasks/list')).toMatchObject({ tasks: [] });
    expect(await resultOf(whole, 'tasks/get', { taskId })).toMatchObject({ status: 'working' });
  });
});
