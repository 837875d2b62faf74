/** D13: skills of all servers in one list, each file from its own server, digests intact. */

import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { Era, Peer } from '../clients/peer.js';
import { directly, errorOf, extended, gatewayWith, resultOf } from './extended.js';

interface Skill {
  readonly uri: string;
  readonly frontmatter: { readonly name: string };
  readonly resources: readonly { readonly uri: string; readonly digest: string }[];
}

const listed = async (peer: Peer): Promise<Skill[]> =>
  (await resultOf<{ skills: Skill[] }>(peer, 'skills/list')).skills;

/** The text of a file, and its digest. */
async function read(
  peer: Peer,
  uri: string,
): Promise<{ text: string; uri: string; digest: string }> {
  const { contents } = await resultOf<{ contents: { uri: string; text: string }[] }>(
    peer,
    'resources/read',
    { uri },
  );
  const { text, uri: said } = contents[0]!;
  return { text, uri: said, digest: `sha256:${createHash('sha256').update(text).digest('hex')}` };
}

describe.each(['session', 'stateless'] as const)('skills, in the %s era', (era: Era) => {
  const server = (name: string) => extended(`--${era}`, '--skills', `--name=${name}`);

  it('D13: are those of the servers, with their own files and digests', async () => {
    const gateway = gatewayWith('http', {
      servers: { a: server('a'), b: server('b'), c: extended(`--${era}`) },
    });
    const peer = await gateway.connect(era);
    const all = await listed(peer);
    const own = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const direct = await directly(server(name), era);
        const first = await resultOf<{ skills: Skill[] }>(direct, 'skills/list');
        const second = await resultOf<{ skills: Skill[] }>(direct, 'skills/list', { cursor: '1' });
        return [...first.skills, ...second.skills];
      }),
    );
    const plain = (skills: readonly Skill[]) =>
      skills.map(({ frontmatter, resources }) => [
        frontmatter,
        resources.map(({ digest }) => digest),
      ]);
    expect(plain(all)).toEqual(plain(own.flat()));
    expect(new Set(all.map(({ uri }) => uri)).size).toBe(4);
    expect(all.map(({ uri }) => uri)).toEqual([
      'skill://review/SKILL.md',
      'skill://a-only/SKILL.md',
      'skill://b/review/SKILL.md',
      'skill://b-only/SKILL.md',
    ]);
    for (const { uri, digest } of all.flatMap(({ resources }) => resources)) {
      expect(await read(peer, uri)).toMatchObject({ uri, digest });
    }
    for (const skill of all) {
      expect(await resultOf<object>(peer, 'skills/get', { uri: skill.uri })).toMatchObject({
        skill,
      });
    }
    const inside = { uri: 'skill://b/review/templates' };
    const { resources } = await resultOf<{ resources: { uri: string }[] }>(
      peer,
      'resources/directory/read',
      inside,
    );
    expect(resources.map(({ uri }) => uri)).toEqual(['skill://b/review/templates/plan.md']);
    expect((await errorOf(peer, 'skills/get', { uri: 'skill://nobody/SKILL.md' })).code).toBe(
      -32602,
    );
  });

  it('D13: of hidden servers are not shown, and without skills the method is unknown', async () => {
    const gateway = gatewayWith('http', {
      servers: { a: server('a'), b: server('b') },
      settings: { access: { anonymous: ['some'] }, roles: { some: { allow: ['b:*'] } } },
    });
    const peer = await gateway.connect(era);
    expect((await listed(peer)).map(({ frontmatter }) => frontmatter.name)).toEqual([
      'review',
      'b-only',
    ]);
    expect((await read(peer, 'skill://review/SKILL.md')).text).toContain('As b does.');
    expect((await errorOf(peer, 'resources/read', { uri: 'skill://a-only/SKILL.md' })).code).toBe(
      -32602,
    );
    const none = gatewayWith('http', { servers: { c: extended(`--${era}`) } });
    expect((await errorOf(await none.connect(era), 'skills/list')).code).toBe(-32601);
  });
});
