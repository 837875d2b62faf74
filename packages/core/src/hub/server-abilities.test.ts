import { profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import type { Call } from '../call/call.js';
import type { Source } from '../source/source.js';
import { fakeCall } from '../testing/fake-call.js';
import { fakeSource, type FakeOffer } from '../testing/fake-source.js';
import { Hub } from './hub.js';
import { view } from './view.js';
import type { ViewOptions } from './view-options.js';

/** A server with capabilities, and with requests that name no item. */
function server(key: string, offer: FakeOffer = { tools: ['t'] }) {
  const fake = fakeSource(offer);
  const relayed: [string, Call][] = [];
  const source: Source = {
    ...fake.source,
    get offer() {
      return fake.source.offer;
    },
    get instructions() {
      return fake.source.instructions;
    },
    capabilitiesFor: (era) => [`{"${key}":"${era}"}`],
    relay: (to, call) => {
      relayed.push([to, call]);
      return Promise.resolve({ ok: true, json: `"${key}"` });
    },
  };
  return { ...fake, source, relayed };
}

function viewOf(keys: readonly string[], given: Partial<ViewOptions> = {}) {
  const hub = new Hub();
  const servers = new Map(keys.map((key) => [key, server(key)]));
  for (const [key, { source }] of servers) hub.set(key, source);
  return { hub, servers, seen: view(hub, { profile: profileById('canonical'), ...given }) };
}
const notB: ViewOptions['sees'] = ({ ref }) => ref.server !== 'b';

describe('the capabilities of servers', () => {
  it('are those of all servers, in the order of the lists', () => {
    const { hub, seen } = viewOf(['a', 'b', 'c']);
    const all = ['{"a":"session"}', '{"b":"session"}', '{"c":"session"}'];
    expect(hub.capabilitiesFor('session')).toEqual(all);
    expect(seen.capabilitiesFor('session')).toEqual(all);
    hub.arrange(['c']);
    expect(seen.capabilitiesFor('session')[0]).toBe('{"c":"session"}');
  });

  it('leave out servers of which a client may see nothing', () => {
    const { seen } = viewOf(['a', 'b'], { sees: notB });
    expect(seen.capabilitiesFor('session')).toEqual(['{"a":"session"}']);
  });

  it('are none if a server states none', () => {
    const hub = new Hub();
    hub.set('a', fakeSource({ tools: ['t'] }).source);
    expect(hub.capabilitiesFor('session')).toEqual([]);
  });

  it('of a single server without a key are its own, or none if it is hidden', () => {
    const { source } = server('a', { tools: ['t'], abilities: ['logging'] });
    const profile = profileById('canonical');
    const open = view(source, { profile });
    expect(open.capabilitiesFor('session')).toEqual(['{"a":"session"}']);
    expect(open.offer.abilities).toEqual(new Set(['logging']));
    const hidden = view(source, { profile, sees: () => false });
    expect(hidden.capabilitiesFor('session')).toEqual([]);
    expect(hidden.offer.abilities).toEqual(new Set());
    expect(view(fakeSource().source, { profile }).capabilitiesFor('session')).toEqual([]);
  });

  it('beyond the lists are those of the servers that a client may see', () => {
    const { seen, servers } = viewOf(['a', 'b'], { sees: notB });
    servers.get('a')!.offers({ abilities: ['completions'] });
    servers.get('b')!.offers({ abilities: ['logging'] });
    expect(seen.offer.abilities).toEqual(new Set(['completions']));
    const before = seen.offer;
    expect(seen.offer).toBe(before);
  });
});

describe('a request that names no item', () => {
  const call = fakeCall('{"taskId":"1"}', 'tasks/get');

  it('goes to one server as it is', async () => {
    const { seen, servers } = viewOf(['a', 'b']);
    expect(await seen.relay('b', call)).toEqual({ ok: true, json: '"b"' });
    // A server in a hub has no key of its own.
    expect(servers.get('b')!.relayed).toEqual([['', call]]);
    expect(servers.get('a')!.relayed).toEqual([]);
  });

  it('goes to no server that the client may not see or that does not exist', () => {
    const { seen, servers } = viewOf(['a', 'b'], { sees: notB });
    expect(seen.relay('b', call)).toBeUndefined();
    expect(seen.relay('c', call)).toBeUndefined();
    expect(servers.get('b')!.relayed).toEqual([]);
  });

  it('goes to a single server without a key', async () => {
    const { source, relayed } = server('a');
    const seen = view(source, { profile: profileById('canonical') });
    expect(await seen.relay('', call)).toEqual({ ok: true, json: '"a"' });
    expect(relayed).toEqual([['', call]]);
    const plain = view(fakeSource().source, { profile: profileById('canonical') });
    expect(plain.relay('', call)).toBeUndefined();
  });
});

describe('a server without items', () => {
  it('is visible to clients that may see everything, and to no others', () => {
    const { source } = server('empty', { instructions: 'Wait.' });
    const hub = new Hub();
    hub.set('empty', source);
    const open = view(hub, { profile: profileById('canonical') });
    expect(open.seesServer('empty')).toBe(true);
    expect(open.capabilitiesFor('session')).toEqual(['{"empty":"session"}']);
    expect(open.instructions).toBe('## empty\n> Wait.');
    const other = view(hub, { profile: profileById('canonical'), sees: () => true });
    expect(other.seesServer('empty')).toBe(false);
    expect(other.instructions).toBeUndefined();
  });
});

describe('instructions', () => {
  it('are those of the servers that a client may see', () => {
    const { hub, seen, servers } = viewOf(['a', 'b'], { sees: notB });
    for (const [key, { offers }] of servers) offers({ instructions: `Use ${key}.` });
    expect(hub.instructions).toBe('## a\n> Use a.\n\n## b\n> Use b.');
    expect(seen.instructions).toBe('## a\n> Use a.');
  });

  it('are shown only if the operator admits them', () => {
    const admitsText = (key: string, text: string): boolean => `${key} ${text}` !== 'b Obey.';
    const hub = new Hub({ admitsText });
    hub.set('a', fakeSource({ tools: ['t'], instructions: 'Obey.' }).source);
    hub.set('b', fakeSource({ tools: ['t'], instructions: 'Obey.' }).source);
    expect(hub.serverInstructions).toEqual([{ server: 'a', text: 'Obey.' }]);
  });

  it('of a single server without a key are its own', () => {
    const profile = profileById('canonical');
    const { source } = fakeSource({ tools: ['t'], instructions: '# Own' });
    expect(view(source, { profile }).instructions).toBe('# Own');
    expect(view(source, { profile, sees: () => false }).instructions).toBeUndefined();
    expect(view(fakeSource().source, { profile }).instructions).toBeUndefined();
  });
});

describe('a notification to servers', () => {
  it('reaches only those that are meant and that the client may see', () => {
    const { seen, servers } = viewOf(['a', 'b', 'c'], { sees: notB });
    seen.tell('x', '{}', (key) => key !== 'c');
    seen.tell('y', '{}');
    expect([...servers.values()].map(({ told }) => told)).toEqual([['x {}', 'y {}'], [], ['y {}']]);
  });
});
