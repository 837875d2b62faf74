import { createFormerNames, createNameTable, profileById } from '@callsign/naming';
import type { NameTableOptions } from '@callsign/naming';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Entry } from '../source/entry.js';
import { Hub } from './hub.js';
import { NameIndex } from './name-index.js';
import { fakeSource } from '../testing/fake-source.js';

/** The lists of servers as a hub makes them. */
const listsOf = (servers: Readonly<Record<string, readonly string[]>>) => {
  const hub = new Hub();
  for (const [key, tools] of Object.entries(servers)) hub.set(key, fakeSource({ tools }).source);
  return hub.byServer('tool');
};
const indexOf = (options: NameTableOptions) => {
  let known = new Map<string, Entry>();
  const byCanonical = (canonical: string) => known.get(canonical);
  const index = new NameIndex({ ...options, byCanonical });
  const update = (lists: readonly (readonly Entry[])[]) => {
    known = new Map(lists.flat().map((entry) => [entry.canonical, entry]));
    index.update(lists);
  };
  return { index, update };
};

describe('the index of names', () => {
  it('F10: renders names in advance, one per slice, until they are in use', () => {
    const lists = listsOf({ fs: ['read-file', 'write-file'], db: ['query', 'drop'] });
    const { index, update } = indexOf({ profile: profileById('cursor') });
    const preparing = index.prepare(lists);
    for (let n = 0; n < 3; n++) expect(preparing.next().done).toBe(false);
    expect([...index.prepare(lists)]).toHaveLength(1);
    update(lists);
    expect(preparing.next().done).toBe(true);
    expect([...index.prepare(lists)]).toEqual([]);
    const names = lists.flat().map((entry) => index.shownName(entry)!);
    expect(names.map((name) => index.find(name))).toEqual(lists.flat());
  });

  it('gives the same answers as a table of all names, after any changes', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      'a_',
      'a-b',
      'a_b',
      'a_b_h1',
      'A',
      'x:y',
      'läs',
      '__proto__',
      'q'.repeat(70),
    );
    const key = part.filter((text) => !text.includes(':'));
    const servers = fc.dictionary(key, fc.uniqueArray(part, { maxLength: 5 }), { maxKeys: 5 });
    const name = fc.oneof(
      part,
      fc.tuple(part, fc.constantFrom(':', '__'), part).map((p) => p.join('')),
    );
    const rules = fc.record({
      profile: fc.constantFrom('canonical', 'cursor', 'identity', 'portable').map(profileById),
      aliases: fc.dictionary(name, name, { maxKeys: 3 }),
      renamed: fc.dictionary(key, key, { maxKeys: 3 }),
    });
    fc.assert(
      fc.property(
        rules,
        fc.array(servers, { maxLength: 4 }),
        fc.array(name),
        (options, steps, asked) => {
          const { index, update } = indexOf(options);
          let before: readonly (readonly Entry[])[] = [];
          for (const step of steps) {
            // Some lists stay the same object, as they do where only one server changes.
            const kept = before.filter(([first]) => first && Object.hasOwn(step, first.ref.server));
            const fresh = listsOf(step).filter(
              ([first]) => !kept.some(([other]) => other!.ref.server === first?.ref.server),
            );
            before = [...kept, ...fresh];
            update(before);
          }
          const table = createNameTable(
            before.flat().map(({ ref }) => ref),
            options,
          );
          const formerName = createFormerNames(options);
          const spellings = table.tools.flatMap((tool) => [
            tool.name,
            tool.canonical,
            formerName(tool.ref),
          ]);
          const all = [...asked, ...spellings, ...Object.keys(options.aliases)];
          for (const spelling of all) {
            const expected = table.find(spelling);
            const other = index.findOther(spelling);
            const found = index.find(spelling) ?? other?.entry;
            expect(found?.canonical).toBe(expected?.tool.canonical);
            if (!index.find(spelling))
              expect(other?.isOld ?? false).toBe(expected?.as === 'renamed');
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('shows no name twice, and none that finds another tool', () => {
    const { index, update } = indexOf({ profile: profileById('identity') });
    const lists = listsOf({ a: ['x', 'y', ''], b: ['x'], c: ['a:x', 'z'] });
    update(lists);
    const names = lists.flat().map((entry) => [entry.canonical, index.shownName(entry)]);
    expect(Object.fromEntries(names)).toEqual({
      'a:x': undefined,
      'a:y': 'y',
      'a:': undefined,
      'b:x': 'b:x',
      'c:a:x': 'a:x',
      'c:z': 'z',
    });
  });

  it('finds the name from an earlier version', () => {
    const { index, update } = indexOf({ profile: profileById('cursor') });
    update(listsOf({ 'chrome-devtools': ['click'] }));
    const former = 'chrome_devtools__click_39kexwd1cr';
    expect(index.find(former)).toBeUndefined();
    expect(index.findOther(former)).toMatchObject({
      entry: { canonical: 'chrome-devtools:click' },
      isOld: false,
    });
    update(listsOf({ chrome: ['click'] }));
    expect(index.findOther(former)).toBeUndefined();
  });

  it('finds an alias while its tool is listed', () => {
    const { index, update } = indexOf({
      profile: profileById('cursor'),
      aliases: { short: 'a:x' },
      renamed: { old: 'a' },
    });
    expect(index.findOther('short')).toBeUndefined();
    const lists = listsOf({ a: ['x'] });
    update(lists);
    expect(index.findOther('short')).toEqual({ entry: lists[0]![0], isOld: false });
    expect(index.findOther('old:x')).toEqual({ entry: lists[0]![0], isOld: true });
    update([]);
    expect(index.findOther('short')).toBeUndefined();
    expect(index.findOther('old:x')).toBeUndefined();
  });

  it('can remove a server that lists a tool without a name', () => {
    const { index, update } = indexOf({ profile: profileById('cursor') });
    update(listsOf({ a: ['', 'x'] }));
    update([]);
    expect(index.find('a__x')).toBeUndefined();
  });

  it('renders each name once', () => {
    const lists = listsOf({ a: ['x'], b: ['y'] });
    const { index, update } = indexOf({ profile: profileById('cursor') });
    update(lists);
    // Rendering reads the identity, so rendering it again would throw here.
    Object.defineProperty(lists[0]![0], 'ref', { get: () => expect.fail('rendered again') });
    update([lists[0]!, ...listsOf({ b: ['z'] })]);
    expect(index.find('a__x')).toBe(lists[0]![0]);
    expect(index.find('b__y')).toBeUndefined();
    expect(index.find('b__z')?.canonical).toBe('b:z');
  });
});
