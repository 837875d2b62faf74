import { finished, profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import type { HubOptions } from './entry-maker.js';
import { Hub } from './hub.js';
import { listed } from '../testing/fake-call.js';
import { fakeSource } from '../testing/fake-source.js';
import { View } from './view.js';
import type { ViewOptions } from './view-options.js';

/** A rule denies what deletes, and everything locked is hidden from every client. */
const withholds: Required<HubOptions>['withholds'] = ({ ref }) => {
  if (ref.tool.startsWith('delete')) return 'denied';
  return ref.tool.startsWith('locked') ? 'hidden' : undefined;
};

function viewOf(options: Partial<ViewOptions> = {}, tools = TOOLS) {
  const source = fakeSource({ tools });
  source.answerAll({ from: 'fs' });
  const hub = new Hub({ withholds });
  hub.set('fs', source.source);
  const view = new View(hub, { profile: profileById('claude-desktop'), ...options });
  const hiddenAs = (name: string): string | undefined =>
    finished(view.hidden('tool', name))?.canonical;
  return { hub, source, view, hiddenAs };
}

const TOOLS = ['read_file', 'create_file', 'delete_file', 'locked_file'];
const NAMES = { aliases: { d: 'fs:delete_file', l: 'fs:locked_file' }, renamed: { old: 'fs' } };

describe('an item whose calls are all denied', () => {
  it('is in no list, and every name of it reaches the modules that deny it (S2)', () => {
    const { view } = viewOf(NAMES);
    expect(listed(view)).toEqual(['fs__read_file', 'fs__create_file']);
    for (const name of ['fs__delete_file', 'fs:delete_file', 'd', 'old__delete_file'])
      expect(view.denied('tool', name)?.target?.canonical, name).toBe('fs:delete_file');
    expect(view.route('tool', 'fs__delete_file')).toBeUndefined();
  });

  it('is unknown to a caller that may not see it, and is never suggested (S2, M3)', () => {
    const { view, hiddenAs } = viewOf({ sees: ({ ref }) => ref.tool !== 'delete_file' });
    expect(view.denied('tool', 'fs__delete_file')).toBeUndefined();
    expect(hiddenAs('fs__delete_file')).toBe('fs:delete_file');
    for (const name of ['fs__delete_file', 'fs__delet_file']) {
      const { suggestions } = finished(view.explainUnknown('tool', name));
      expect(suggestions, name).toEqual([]);
    }
  });

  it('follows the lists of its server', () => {
    const { hub, source, view } = viewOf();
    source.offers({ tools: ['delete_other'] });
    expect(view.denied('tool', 'fs__delete_file')).toBeUndefined();
    expect(view.denied('tool', 'fs__delete_other')?.target?.canonical).toBe('fs:delete_other');
    hub.remove('fs');
    expect(view.denied('tool', 'fs__delete_other')).toBeUndefined();
  });
});

describe('a hidden item', () => {
  it('has no route, and is found for the record of a call (S2)', () => {
    const { view, hiddenAs } = viewOf(NAMES);
    for (const name of ['fs__locked_file', 'l', 'old__locked_file']) {
      expect(view.route('tool', name) ?? view.denied('tool', name), name).toBeUndefined();
      expect(hiddenAs(name), name).toBe('fs:locked_file');
    }
    expect(hiddenAs('fs__nothing')).toBeUndefined();
  });

  it('is not looked for if nothing can be hidden', () => {
    const { hiddenAs } = viewOf({}, ['read_file']);
    expect(hiddenAs('fs__read_file')).toBeUndefined();
  });
});

describe('suggestions', () => {
  it('name what does less harm first (S15)', () => {
    const tool = (name: string, annotations: object) => {
      return { name, json: JSON.stringify({ name, annotations }) };
    };
    const tools = [
      tool('purge_a', { readOnlyHint: false, destructiveHint: true }),
      tool('purge_b', { readOnlyHint: true }),
    ];
    const source = fakeSource({ tools });
    const hub = new Hub({ label: () => ({ trust: 'full' }) });
    hub.set('fs', source.source);
    const view = new View(hub, { profile: profileById('canonical') });
    expect(finished(view.explainUnknown('tool', 'fs:purge')).suggestions).toEqual([
      'fs:purge_b',
      'fs:purge_a',
    ]);
  });
});
