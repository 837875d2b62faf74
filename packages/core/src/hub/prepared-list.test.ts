import { profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { KINDS } from '../call/kind.js';
import { listed } from '../testing/fake-call.js';
import { fakeSource, type FakeOffer } from '../testing/fake-source.js';
import { hub } from './hub.js';
import { view } from './view.js';

function viewOf(offer: FakeOffer) {
  const all = hub({ fs: fakeSource(offer).source });
  return { all, seen: view(all, { profile: profileById('canonical') }) };
}

describe('a list', () => {
  it('F10: is prepared in slices, once, and again after a change', () => {
    const { seen, all } = viewOf({ tools: ['read_file', 'write_file'] });
    const steps = (): number => [...seen.prepare('tool')].length;
    // Each name, then each definition.
    expect(steps()).toBe(2 + 2);
    expect(seen.offer.tool).toHaveLength(2);
    expect(steps()).toBe(0);
    all.set('db', fakeSource({ tools: ['query'] }).source);
    expect(steps()).toBe(1 + 3);
  });

  it('of prompts is prepared too; resources need no preparation', () => {
    const { seen } = viewOf({ prompts: ['p'], resources: ['x://1'], templates: ['y'] });
    const steps = KINDS.map((kind) => [...seen.prepare(kind)].length);
    expect(steps).toEqual([0, 1 + 1, 0, 0]);
  });

  it('leaves out tools that no name can reach, prepared or not', () => {
    const { seen } = viewOf({ tools: ['', 'x'] });
    expect([...seen.prepare('tool')]).toHaveLength(2 + 2);
    expect(listed(seen)).toEqual(['fs:x']);
  });

  it('leads to the routes of the hub, with nothing between', () => {
    const { seen, all } = viewOf({ tools: ['read_file'] });
    expect(seen.route('tool', 'fs:read_file')).toBe(all.entry('tool', 'fs:read_file')!.route);
  });

  it('is not rendered to say which kinds are offered', () => {
    const source = fakeSource({ tools: ['a', 'b'], prompts: ['p'], templates: ['y'] }).source;
    let rendered = 0;
    const seen = view(hub({ fs: source }), {
      profile: profileById('canonical'),
      mayWait: () => ++rendered < 0,
      sees: ({ kind }) => kind !== 'template',
    });
    expect([...seen.outline.kinds]).toEqual(['tool', 'prompt']);
    expect(rendered).toBe(0);
    expect(seen.outline.abilities).toBe(seen.offer.abilities);
    expect(rendered).toBeGreaterThan(0);
  });

  it('is compared with an unknown name in slices', () => {
    const tools = Array.from({ length: 50 }, (_, n) => `tool_${n}`);
    const { seen } = viewOf({ tools });
    expect([...seen.explainUnknown('tool', 'fs:tol_1')].length).toBeGreaterThan(100);
    expect([...seen.explainUnknown('tool', 'fs:tol_2')].length).toBeGreaterThanOrEqual(50);
  });
});
