import { finished, profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { hub } from '../hub/hub.js';
import { fakeSource } from '../testing/fake-source.js';
import { listed, sendTo } from '../testing/fake-call.js';
import { view } from '../hub/view.js';

const profile = profileById('portable');

describe('a view of a single source (C1)', () => {
  it('shows its tools by their own names, and calls them', async () => {
    const { source, answerAll, calls } = fakeSource({ tools: ['read-file', 'write.file'] });
    answerAll({ ok: 1 });
    const seen = view(source, { profile });
    expect(listed(seen)).toEqual(['read-file', 'write.file']);
    expect(await sendTo(seen, 'read-file')).toEqual({ ok: true, json: '{"ok":1}' });
    expect(calls[0]!.call.target).toMatchObject({ canonical: 'read-file', risk: 'read' });
  });

  it('follows the source’s offer, under the same rules', () => {
    const fake = fakeSource({ tools: ['a', 'b'] });
    const seen = view(fake.source, { profile, sees: ({ canonical }) => canonical !== 'b' });
    expect(listed(seen)).toEqual(['a']);
    fake.offers({ tools: ['b', 'c'] });
    expect(listed(seen)).toEqual(['c']);
    expect(seen.route('tool', 'b')).toBeUndefined();
    expect(finished(seen.explainUnknown('tool', 'b')).message).toBe('Tool not found: b');
  });

  it('lists resources by their URIs', () => {
    const { source } = fakeSource({ resources: ['file:///a'], templates: ['file:///{+path}'] });
    const seen = view(source, { profile });
    expect(listed(seen, 'resource')).toEqual(['file:///a']);
    expect(seen.route('resource', 'file:///b/c')).toBeDefined();
  });

  it('is a source like any other: a hub can hold it', async () => {
    const { source, answerAll } = fakeSource({ tools: ['read'] });
    answerAll({});
    const outer = view(hub({ files: view(source, { profile }) }), { profile });
    expect(listed(outer)).toEqual(['files__read']);
    expect((await sendTo(outer, 'files__read')).ok).toBe(true);
  });
});
