import { profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { skillItem } from '../../../../test/testing/skill-item.js';
import type { Source } from '../source/source.js';
import { fakeCall } from '../testing/fake-call.js';
import { fakeSource } from '../testing/fake-source.js';
import { Hub } from './hub.js';
import { view } from './view.js';
import type { ViewOptions } from './view-options.js';

const MAIN = 'skill://pdf/SKILL.md';
const FILE = 'skill://pdf/fill.md';
const SKILL = `{"uri":"${MAIN}","resources":[{"uri":"${FILE}"}],"frontmatter":{"uri":"${MAIN}"}}`;

/** A server that reads any URI below `skill://`, and lists none of them. */
function skillServer(
  skills: readonly string[] = [SKILL],
  isReadable: (uri: string) => boolean = () => true,
) {
  const fake = fakeSource();
  const read: string[] = [];
  let items = skills.map((json) => skillItem(json));
  const source: Source = {
    ...fake.source,
    get offer() {
      return fake.source.offer;
    },
    get skills() {
      return items;
    },
    route: (kind, uri) =>
      kind === 'resource' && uri.startsWith('skill://') && isReadable(uri)
        ? {
            send: () => {
              read.push(uri);
              const contents = [
                { uri, text: uri },
                { uri: `${uri}/sub`, text: '' },
              ];
              return Promise.resolve({ ok: true, json: JSON.stringify({ contents }) });
            },
          }
        : undefined,
  };
  const change = (json: readonly string[]): void => {
    items = json.map((each) => skillItem(each));
    fake.emit({ type: 'changed', kinds: [] });
  };
  return { source, read, change };
}

function viewOf(servers: Record<string, Source>, given: Partial<ViewOptions> = {}) {
  const hub = new Hub();
  for (const [key, source] of Object.entries(servers)) hub.set(key, source);
  return { hub, seen: view(hub, { profile: profileById('canonical'), ...given }) };
}
const names = (source: Source) => source.skills!.map(({ name }) => name);
const readFrom = async (source: Source, uri: string) => {
  const call = fakeCall(JSON.stringify({ uri }), 'resources/read');
  const { json } = await source.route('resource', uri)!.send(call);
  return (JSON.parse(json) as { contents: { uri: string }[] }).contents.map((each) => each.uri);
};

describe('the skills of servers', () => {
  it('are listed as they are, if no other server has their URIs', () => {
    const { seen } = viewOf({ a: skillServer().source });
    expect(seen.skills).toEqual([{ name: MAIN, json: SKILL }]);
  });

  it('of two servers with one URI are below the second server’s key', () => {
    const { seen } = viewOf({ a: skillServer().source, 'b c': skillServer().source });
    const moved = 'skill://b%20c/pdf/SKILL.md';
    expect(names(seen)).toEqual([MAIN, moved]);
    expect(JSON.parse(seen.skills[1]!.json)).toEqual({
      uri: moved,
      resources: [{ uri: 'skill://b%20c/pdf/fill.md' }],
      frontmatter: { uri: MAIN },
    });
  });

  it('follow each change of a server', () => {
    const server = skillServer();
    const { seen, hub } = viewOf({ a: server.source });
    expect(names(seen)).toEqual([MAIN]);
    server.change(['{"uri":"skill://x/SKILL.md"}']);
    expect(names(seen)).toEqual(['skill://x/SKILL.md']);
    expect(hub.serverSkills).toBe(hub.serverSkills);
    hub.remove('a');
    expect(seen.skills).toEqual([]);
  });

  it('are left out if the client may not see their main file', () => {
    const { seen } = viewOf(
      { a: skillServer().source, b: skillServer(['{"uri":"skill://x/SKILL.md"}']).source },
      { sees: ({ canonical }) => canonical !== `a:${MAIN}` },
    );
    expect(names(seen)).toEqual(['skill://x/SKILL.md']);
    expect(seen.route('resource', FILE)).toBeUndefined();
  });

  it('are left out if their server cannot read their main file', () => {
    const { seen } = viewOf({ a: skillServer([SKILL], (uri) => uri !== MAIN).source });
    expect(seen.skills).toEqual([]);
  });

  it('of a single server without a key keep their URIs', async () => {
    const { source, read } = skillServer();
    const seen = view(source, { profile: profileById('canonical') });
    expect(names(seen)).toEqual([MAIN]);
    await readFrom(seen, FILE);
    expect(read).toEqual([FILE]);
    expect(view(fakeSource().source, { profile: profileById('canonical') }).skills).toEqual([]);
  });
});

describe('a file of a skill', () => {
  it('is read from its server by its URI for clients, and named by it in the reply', async () => {
    const [a, b] = [skillServer(), skillServer()];
    const { seen } = viewOf({ a: a.source, b: b.source });
    expect((await readFrom(seen, MAIN))[0]).toBe(MAIN);
    expect((await readFrom(seen, 'skill://b/pdf/fill.md'))[0]).toBe('skill://b/pdf/fill.md');
    expect([a.read, b.read]).toEqual([[MAIN], [FILE]]);
  });

  it.each([
    ['skill://b/pdf/other.md', 'skill://pdf/other.md'],
    ['skill://b/pdf', 'skill://pdf'],
    ['skill://b/pdf/x/y', 'skill://pdf/x/y'],
  ])('that no list names is read too: %s', async (uri, own) => {
    const b = skillServer();
    const { seen } = viewOf({ a: skillServer().source, b: b.source });
    expect(await readFrom(seen, uri)).toEqual([uri, `${uri}/sub`]);
    expect(b.read).toEqual([own]);
  });

  it.each(['skill://b/pdfs', 'skill://b', 'skill://c/pdf/x', 'x://b/pdf/x'])(
    'is not %s, which is outside of every skill',
    (uri) => {
      const { seen } = viewOf({ a: skillServer().source, b: skillServer().source });
      expect(seen.route('resource', uri)).toBeUndefined();
    },
  );

  it('that the client may not see cannot be read, listed or not', () => {
    const { seen } = viewOf(
      { a: skillServer().source },
      { sees: ({ canonical }) => !/fill|other/.test(canonical) },
    );
    expect(seen.route('resource', MAIN)).toBeDefined();
    expect(seen.route('resource', FILE)).toBeUndefined();
    expect(seen.route('resource', 'skill://pdf/other.md')).toBeUndefined();
    expect(seen.route('resource', 'skill://pdf/free.md')).toBeDefined();
  });

  it('belongs to the server that can read it', async () => {
    const [a, b] = [skillServer([SKILL], (uri) => !uri.includes('late')), skillServer()];
    const { seen } = viewOf({ a: a.source, b: b.source });
    expect(seen.route('resource', 'skill://pdf/late.md')).toBeUndefined();
    expect(await readFrom(seen, 'skill://b/pdf/late.md')).toContain('skill://b/pdf/late.md');
  });
});
