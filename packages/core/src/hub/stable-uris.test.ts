import { profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { fakeSource } from '../testing/fake-source.js';
import { Hub } from './hub.js';
import { view } from './view.js';

const OPTIONS = { profile: profileById('canonical') };

/** Two servers in this order. The first one still starts. */
function starting() {
  const [first, second] = [
    fakeSource(),
    fakeSource({ resources: ['x://1'], templates: ['y://{n}'] }),
  ];
  const hub = new Hub();
  hub.set('a', first.source);
  hub.set('b', second.source);
  const seen = view(hub, OPTIONS);
  const whose = (uri: string) => seen.route('resource', uri)?.target?.canonical;
  const listed = () => seen.offer.resource.map(({ name }) => name);
  return { first, hub, seen, whose, listed };
}

describe('a resource whose URI two servers have', () => {
  it('stays with the server that was listed first, even if the other one starts later', () => {
    const { first, whose, listed } = starting();
    expect(listed()).toEqual(['x://1']);
    expect([whose('x://1'), whose('y://2')]).toEqual(['b:x://1', 'b:y://2']);
    first.offers({ resources: ['x://1'], templates: ['y://{n}'] });
    expect(listed()).toEqual(['a:x://1', 'x://1']);
    expect([whose('x://1'), whose('y://2')]).toEqual(['b:x://1', 'b:y://2']);
    expect([whose('a:x://1'), whose('a:y://2')]).toEqual(['a:x://1', 'a:y://2']);
  });

  it('does not get the URI of a server that is gone, and has its own under other rules too', () => {
    const { first, hub, seen, whose, listed } = starting();
    expect(listed()).toEqual(['x://1']);
    first.offers({ resources: ['x://1'] });
    seen.reconfigure({ ...OPTIONS, titles: false });
    expect(listed()).toEqual(['a:x://1', 'x://1']);
    hub.remove('b');
    expect(listed()).toEqual(['a:x://1']);
    expect(whose('x://1')).toBeUndefined();
  });

  it('belongs to the first server if no list was shown before', () => {
    const { first, hub, whose } = starting();
    expect(whose('x://1')).toBe('b:x://1');
    first.offers({ resources: ['x://1'] });
    expect(whose('x://1')).toBe('a:x://1');
    const later = view(hub, OPTIONS);
    expect(later.route('resource', 'x://1')?.target?.canonical).toBe('a:x://1');
  });
});
