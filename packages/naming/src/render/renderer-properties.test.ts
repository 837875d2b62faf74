/** Properties of the names of every profile, over hostile identities. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createNameCheck, type ClientProfile } from '../profile/client-profile.js';
import { PROFILES, profileById } from '../profile/client-profiles.js';
import { createNameReader } from './name-reader.js';
import { createNameTable } from '../table/name-table.js';
import { createToolRenderer, type RenderedName } from './renderer.js';
import { denseRefs, nastyRefs } from '../testing/nasty-refs.js';
import { canonicalName, type ToolRef } from '../identity/tool-ref.js';

/** New identities in every run. A failure names the seed. */
const SEED = fc.sample(fc.integer(), 1)[0]!;

let identitiesOfAll: ToolRef[] | undefined;
let identitiesOfOne: ToolRef[] | undefined;

/** Built once: most of the time of this file would be spent here. */
function identities(profile: ClientProfile): readonly ToolRef[] {
  if (profile.separator !== null) return (identitiesOfAll ??= nastyRefs(SEED, 100_000));
  // Without the server in the name only one server can be told apart.
  return (identitiesOfOne ??= oneServer(nastyRefs(SEED, 170_000)));
}

function oneServer(refs: readonly ToolRef[]): ToolRef[] {
  return [...new Set(refs.map(({ tool }) => tool))].map((tool) => ({ server: 'one', tool }));
}

/** The profiles by their rules: clients with the same rules see the same names. */
function profilesByRules(): [ids: string, profile: ClientProfile][] {
  const groups = new Map<string, ClientProfile[]>();
  for (const profile of PROFILES.values()) {
    const { separator, characters, firstCharacters, clientPrefix, clientPrefixMax } = profile;
    const rules = [separator, characters, firstCharacters, clientPrefix, clientPrefixMax];
    const key = JSON.stringify([...rules, String(profile.maxLength)]);
    groups.set(key, [...(groups.get(key) ?? []), profile]);
  }
  return [...groups.values()].map((group) => [group.map(({ id }) => id).join(', '), group[0]!]);
}

describe.each(profilesByRules())('over 100,000 nasty identities, %s', (_ids, profile) => {
  const nameFaults = createNameCheck(profile);
  const readName = createNameReader({ profile });
  const fail = (message: string): never => {
    throw new Error(`${message} (seed ${SEED})`);
  };

  /** A hashed name is too long or holds other characters; any other can be read. */
  const expectWayBack = (ref: ToolRef, { name, form, reasons }: RenderedName): void => {
    if (form === 'hashed') {
      const isPlain = /^[\w.-]+$/.test(ref.server + ref.tool);
      const isLong = reasons.includes('length') || reasons.includes('first-character');
      if (isPlain && !isLong) fail(`${canonicalName(ref)} needs no fingerprint`);
      if (readName(name)) fail(`${name} is read, but was hashed`);
      return;
    }
    if (profile.separator === null) return;
    const read = readName(name);
    if (read?.server !== ref.server || read.tool !== ref.tool)
      fail(`${name} does not lead back to ${canonicalName(ref)}`);
  };

  it(
    'gives distinct, valid names that can be parsed back unless they are hashed',
    { timeout: 90_000 },
    () => {
      const renderTool = createToolRenderer({ profile });
      const names = new Set<string>();
      const refs = identities(profile);
      expect(refs.length).toBeGreaterThanOrEqual(100_000);
      for (const ref of refs) {
        const rendered = renderTool(ref);
        names.add(rendered.name);
        if (nameFaults(rendered.name).length > 0)
          fail(`${JSON.stringify(rendered.name)} is not legal`);
        expectWayBack(ref, rendered);
      }
      expect(names.size).toBe(refs.length);
    },
  );

  it('gives the same name, independent of other tools and of their order', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const nasty = nastyRefs(seed, 400);
        const refs = profile.separator === null ? oneServer(nasty) : nasty;
        const namesIn = (some: readonly ToolRef[]) =>
          createNameTable(some, { profile }).tools.map(
            ({ canonical, name }) => [canonical, name] as const,
          );
        const all = new Map(namesIn(refs));
        const half = refs.filter((_, i) => i % 2 === 0).toReversed();
        for (const [canonical, name] of namesIn(half)) expect(all.get(canonical)).toBe(name);
      }),
      { numRuns: 5 },
    );
  });
});

// All identities over characters that marks, separators and repetitions are made of.
describe.each(['_-h1a', '_.d0a', '_-.hs', '_k21a'])('over every identity of %j', (characters) => {
  const refs = denseRefs(characters);

  it.each(['openai', 'cursor'])('%s gives distinct names', { timeout: 90_000 }, (id) => {
    const profile = profileById(id);
    const renderTool = createToolRenderer({ profile });
    const readName = createNameReader({ profile });
    const owners = new Map<string, ToolRef>();
    expect(refs.length).toBeGreaterThan(100_000);
    for (const ref of refs) {
      const { name, form } = renderTool(ref);
      const owner = owners.get(name);
      if (owner) throw new Error(`${canonicalName(owner)} and ${canonicalName(ref)} are ${name}`);
      owners.set(name, ref);
      const read = readName(name);
      if (
        form !== 'hashed' &&
        canonicalName(read ?? { server: '', tool: '' }) !== canonicalName(ref)
      )
        throw new Error(`${name} does not lead back to ${canonicalName(ref)}`);
    }
  });
});
