import { describe, expect, it } from 'vitest';

import { profileById } from '@callsign/naming';

import type { Slices } from '../json/long-json.js';
import { listed } from '../testing/fake-call.js';
import { fakeSource } from '../testing/fake-source.js';
import { Hub } from './hub.js';
import { view } from './view.js';

/** A hub that counts how often it asks for the settings of a tool. */
function counted() {
  const asked: string[] = [];
  const titles = { prefix: 'old' };
  const server = fakeSource({ tools: ['a', 'b', 'c'] });
  const hub = new Hub({
    label: ({ tool }) => {
      asked.push(tool);
      return { title: `${titles.prefix} ${tool}` };
    },
  });
  hub.set('s', server.source);
  asked.length = 0;
  const work: Slices<void>[] = [];
  /** The server says that its tools will change. */
  const prepare = (): void => {
    server.emit({ type: 'changing', kinds: ['tool'], prepare: (part) => work.push(part) });
  };
  const commit = (): void => server.emit({ type: 'changed', kinds: ['tool'] });
  const entryTitles = (): unknown[] => [...hub.entries('tool').values()].map(({ title }) => title);
  return { hub, server, asked, titles, work, prepare, commit, entryTitles };
}

describe('entries of a long list', () => {
  it('are made in slices before the change, and only once', () => {
    const { asked, work, prepare, commit, hub } = counted();
    const before = hub.entry('tool', 's:a');
    prepare();
    expect(work).toHaveLength(1);
    expect(asked).toEqual([]);
    expect([...work[0]!]).toHaveLength(3);
    expect(asked).toEqual(['a', 'b', 'c']);
    expect(hub.entry('tool', 's:a')).toBe(before);
    commit();
    expect(asked).toHaveLength(3);
    expect(hub.entry('tool', 's:a')).not.toBe(before);
    commit();
    expect(asked).toHaveLength(6);
  });

  it('are made again if the rules change before the list does', () => {
    const { hub, titles, work, prepare, commit, entryTitles } = counted();
    prepare();
    const slices = work[0]!;
    slices.next();
    titles.prefix = 'new';
    hub.refresh();
    for (const _ of slices) continue;
    expect(entryTitles()).toEqual(['new a', 'new b', 'new c']);
    commit();
    expect(entryTitles()).toEqual(['new a', 'new b', 'new c']);
  });

  it('are not those of the source that had the key before', () => {
    const { hub, work, prepare, asked } = counted();
    prepare();
    for (const _ of work[0]!) continue;
    asked.length = 0;
    hub.set('s', fakeSource({ tools: ['a'] }).source);
    expect(asked).toEqual(['a']);
  });
});

describe('names of a long list', () => {
  const profile = profileById('identity');
  const many = Array.from({ length: 300 }, (_, n) => `t_${n}`);

  it('are rendered in slices before a call, once, and again after a change', () => {
    const server = fakeSource({ tools: many });
    const hub = new Hub();
    hub.set('s', server.source);
    const seen = view(hub, { profile });
    expect([...seen.prepareNames('tool')!]).toHaveLength(300);
    expect(seen.prepareNames('tool')).toBeUndefined();
    expect(seen.route('tool', 's:t_7')?.target?.canonical).toBe('s:t_7');
    expect(seen.prepareNames('tool')).toBeUndefined();
    server.offers({ tools: many.map((name) => `${name}_x`) });
    expect([...seen.prepareNames('tool')!]).toHaveLength(300);
    expect(seen.route('tool', 's:t_7')).toBeUndefined();
    expect(listed(seen)).toHaveLength(300);
  });

  it('are rendered at once if they are few; resources have none', () => {
    const hub = new Hub();
    hub.set('s', fakeSource({ tools: ['a'], resources: many }).source);
    const seen = view(hub, { profile });
    expect(seen.prepareNames('tool')).toBeUndefined();
    expect(seen.prepareNames('resource')).toBeUndefined();
  });
});
