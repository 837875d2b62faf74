import { profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import type { Call } from '../call/call.js';
import type { Item } from '../call/item.js';
import type { Route } from '../call/route.js';
import type { Sight } from '../call/sight.js';
import { createEntry } from '../source/create-entry.js';
import type { Entry } from '../source/entry.js';
import type { Catalogue, Source, SourceEvent } from '../source/source.js';
import { listed, sendTo } from '../testing/fake-call.js';
import { fakeSource } from '../testing/fake-source.js';
import { hub } from './hub.js';
import { view } from './view.js';

const profile = profileById('canonical');
const hides =
  (...hidden: readonly string[]): Sight =>
  ({ canonical }) =>
    !hidden.includes(canonical);

describe('a tool that shows other tools', () => {
  const DEFINITION = '{"name":"search","inputSchema":{"type":"object"}';

  /** One tool that shows `a:x` and `a:y`, which no list has. */
  function searching(sees?: Sight) {
    const sent: Call[] = [];
    const route = { send: () => Promise.resolve({ ok: true, json: '{}' }) };
    const behind = ['x', 'y'].map((tool) => {
      const item = { name: tool, json: `{"name":"${tool}"}` };
      const ref = { server: 'a', tool };
      return createEntry({ kind: 'tool', ref, item, route, displayName: 'A' });
    });
    const item = { name: 'search', json: `${DEFINITION}}` };
    const { source } = fakeSource({ tools: [item] });
    const inner = hub({
      s: {
        ...source,
        offer: source.offer,
        route: (_, name) => (name === 'search' ? searchRoute(item, behind, sent) : undefined),
      },
    });
    const catalogue: Catalogue = {
      abilities: inner.abilities,
      abilitiesOf: (isMeant) => inner.abilitiesOf(isMeant),
      byServer: (kind) => inner.byServer(kind),
      capabilitiesOf: (era, isMeant) => inner.capabilitiesOf(era, isMeant),
      relay: (server, call) => inner.relay(server, call),
      page: (server, uri) => inner.page(server, uri),
      serverInstructions: [],
      serverSkills: [],
      behind: () => [behind],
      entry: (kind, canonical) => inner.entry(kind, canonical),
      admits: () => true,
    };
    const outer: Source = {
      catalogue,
      offer: inner.offer,
      route: (kind, name) => inner.route(kind, name),
      subscribe: (listener) => inner.subscribe(listener),
      tell: () => undefined,
    };
    return { seen: view(outer, { profile, ...(sees ? { sees } : {}) }), sent, inner };
  }

  function searchRoute(item: Item, behind: readonly Entry[], sent: Call[]): Route {
    return {
      item,
      seenBy(sight) {
        const count = behind.filter(sight).length;
        const json = `${DEFINITION},"description":"${count}"}`;
        return count > 0 ? { name: 'search', json } : undefined;
      },
      send: (call) => {
        sent.push(call);
        return Promise.resolve({ ok: true, json: '{}' });
      },
    };
  }

  it('is shown and called with what the caller may see of them', async () => {
    const sees = hides('a:y');
    const { seen, sent } = searching(sees);
    expect(seen.offer.tool[0]!.json).toContain('"description":"1"');
    await sendTo(seen, 's:search');
    expect(sent[0]!.sight).toBe(sees);
  });

  it('is hidden from a caller who may see none of them', () => {
    const { seen } = searching(hides('a:x', 'a:y'));
    expect(listed(seen)).toEqual([]);
    expect(seen.route('tool', 's:search')).toBeUndefined();
    expect(searching(hides('s:search')).seen.offer.tool).toEqual([]);
  });

  it('is its plain definition for a caller who may see everything', async () => {
    const { seen, sent } = searching();
    expect(seen.offer.tool[0]!.json).not.toContain('description');
    await sendTo(seen, 's:search');
    expect(sent[0]!.sight).toBeUndefined();
  });

  it('makes their server visible, and leads to those that the caller may see', () => {
    const { seen } = searching(hides('a:y'));
    expect(seen.seesServer('a')).toBe(true);
    expect(seen.seesServer('b')).toBe(false);
    expect(seen.behind('a:x')).toBeDefined();
    expect(seen.behind('a:y')).toBeUndefined();
    expect(seen.behind('s:search')).toBeUndefined();
    const { seen: blind } = searching(({ ref }) => ref.server !== 'a');
    expect(blind.seesServer('a')).toBe(false);
    const plain = hub({ a: fakeSource({ tools: ['x'] }).source });
    expect(view(plain, { profile }).behind('a:x')).toBeUndefined();
  });

  it('has changed for a client only if its definition for the client has', () => {
    const hidden = new Set<string>();
    const { seen, inner } = searching(({ canonical }) => !hidden.has(canonical));
    const heard: SourceEvent[] = [];
    seen.subscribe((event) => heard.push(event));
    inner.refresh();
    expect(heard).toEqual([]);
    hidden.add('a:y');
    inner.refresh();
    expect(heard).toEqual([{ type: 'changed', kinds: ['tool'] }]);
  });
});
