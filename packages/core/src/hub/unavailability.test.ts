import { profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import type { Target } from '../call/target.js';
import { fakeSource } from '../testing/fake-source.js';
import { Hub } from './hub.js';
import { view } from './view.js';
import type { ViewOptions } from './view-options.js';

const REASON = 'it could not be started';

function downView(given: Partial<ViewOptions> = {}, admits?: (name: string) => boolean) {
  const hub = new Hub(admits ? { admits: (_, { tool }) => admits(tool) } : {});
  const { source } = fakeSource();
  hub.set('db', { ...source, offer: source.offer, unavailable: REASON });
  hub.set('up', fakeSource({ tools: ['query'] }).source);
  return view(hub, { profile: profileById('cursor'), ...given });
}

describe('a name of a server that is not available', () => {
  it.each(['db:query', 'db__query', 'short', 'db:'])('%s says why', (name) => {
    const seen = downView({ aliases: { short: 'db:query' } });
    const error = seen.explainUnavailable('tool', name);
    const isName = name !== 'db:';
    expect(error?.code).toBe(isName ? 'upstream-unavailable' : undefined);
    expect(error?.details).toEqual(isName ? { server: 'db', reason: REASON } : undefined);
  });

  it.each(['up:gone', 'up__gone', 'none:query', 'query', 'constructor'])(
    '%s is not such a name',
    (name) => expect(downView().explainUnavailable('tool', name)).toBeUndefined(),
  );

  it('says nothing to clients that may not see the item, so that hidden servers stay hidden', () => {
    const asked: Target[] = [];
    const seen = downView({
      sees: (target) => {
        asked.push(target);
        return target.ref.tool !== 'query';
      },
    });
    expect(seen.explainUnavailable('tool', 'db:query')).toBeUndefined();
    expect(seen.explainUnavailable('prompt', 'db:other')?.code).toBe('upstream-unavailable');
    expect(asked.at(-1)).toMatchObject({
      kind: 'prompt',
      canonical: 'db:other',
      displayName: 'db',
      ref: { server: 'db', tool: 'other' },
    });
  });

  it('says nothing about an item that is not admitted', () => {
    const seen = downView({}, (tool) => tool !== 'query');
    expect(seen.explainUnavailable('tool', 'db:query')).toBeUndefined();
    expect(seen.explainUnavailable('tool', 'db:other')?.code).toBe('upstream-unavailable');
  });

  it('says nothing if the source is one server without a key', () => {
    const { source } = fakeSource();
    const seen = view(source, { profile: profileById('cursor') });
    expect(seen.explainUnavailable('tool', 'db:query')).toBeUndefined();
  });
});
