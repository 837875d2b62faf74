import { describe, expect, it } from 'vitest';

import { Hub } from './hub.js';
import { createResourceIndex } from './resource-index.js';
import { fakeSource, type FakeOffer } from '../testing/fake-source.js';

const indexOf = (
  offers: Record<string, FakeOffer>,
  admits: (ref: { server: string; tool: string }) => boolean = () => true,
) => {
  const hub = new Hub();
  for (const [key, offer] of Object.entries(offers)) hub.set(key, fakeSource(offer).source);
  const [resources, templates] = [hub.byServer('resource').flat(), hub.byServer('template').flat()];
  const index = createResourceIndex({ resources, templates, admits });
  /** The found resource as `server:uri`. */
  const whose = (uri: string) => {
    const item = index.find(uri)?.item;
    const all = [...resources, ...templates];
    return all.find((entry) => entry.item === item)?.canonical;
  };
  return { index, whose };
};

describe('resources by URI', () => {
  it('keep every definition unchanged if it keeps its URI', () => {
    const item = { name: 'a://1', json: '{ "uri":"a://1","size":12345678901234567890 }' };
    const twin = { name: 'a://1', json: '{ "uri":"a://1","size":1.0 }' };
    const { index } = indexOf({ one: { resources: [item] }, two: { resources: [twin] } });
    expect(index.resources).toEqual([
      item,
      { name: 'two:a://1', json: '{ "uri":"two:a://1","size":1.0 }' },
    ]);
  });

  it('give a URI to the server that has it, not to one whose URI was changed to it', () => {
    const { index, whose } = indexOf({
      a: { resources: ['u'] },
      b: { resources: ['u', 'v'] },
      c: { resources: ['b:u'] },
    });
    expect(index.resources.map(({ name }) => name)).toEqual(['u', 'v', 'b:u']);
    expect(['u', 'v', 'b:u', 'b:v'].map(whose)).toEqual(['a:u', 'b:v', 'c:b:u', 'b:v']);
  });

  it('are named by the URI under which they are listed', () => {
    const { index } = indexOf({ a: { resources: ['u'] }, b: { resources: ['u'] } });
    expect(index.clientUri('a:u', 'u')).toBe('u');
    expect(index.clientUri('b:u', 'u')).toBe('b:u');
    expect(index.clientUri('b:v', 'v')).toBe('v');
    // It would be taken for the resource of the first server.
    expect(index.clientUri('c:u', 'u')).toBeUndefined();
  });
});

describe('resources by template', () => {
  it('are found only if no listed resource has the URI', () => {
    const { whose } = indexOf({ a: { templates: ['x://{id}'] }, b: { resources: ['x://1'] } });
    expect([whose('x://1'), whose('x://2')]).toEqual(['b:x://1', 'a:x://{id}']);
  });

  it('are found although another server has thousands of templates that take long', () => {
    const slow = `${'{+a}a'.repeat(15)}{+a}!`;
    const templates = Array.from({ length: 2_000 }, (_, n) => `x:${slow}${n}`);
    const { whose } = indexOf({ hostile: { templates }, fine: { templates: ['x:{id}'] } });
    for (let n = 0; n < 5; n++) {
      expect(whose(`x:${'a'.repeat(8_000 + n)}`)).toBe('fine:x:{id}');
    }
  });

  it('belong to the most specific template, in any order', () => {
    const { whose } = indexOf({
      greedy: { templates: ['{+anything}', 'a://{+rest}'] },
      a: { templates: ['a://x/{id}'] },
      b: { templates: ['b://{id}'] },
    });
    expect(['a://x/1', 'a://x/1/2', 'b://1', 'c://1'].map(whose)).toEqual([
      'a:a://x/{id}',
      'greedy:a://{+rest}',
      'b:b://{id}',
      'greedy:{+anything}',
    ]);
  });

  it('belong to the first of two equal templates, and to the second by its key', () => {
    const greedy = { templates: ['{+anything}'] };
    const { whose, index } = indexOf({
      g: greedy,
      a: { templates: ['x://{id}'] },
      b: { templates: ['x://{id}'] },
    });
    expect(['x://1', 'b:x://1'].map(whose)).toEqual(['a:x://{id}', 'b:x://{id}']);
    expect(index.findTemplate('b:x://{id}')).toBeDefined();
    expect(index.findTemplate('a:x://{id}')).toBeDefined();
    expect(index.findTemplate('c:x://{id}')).toBeUndefined();
  });

  it('are admitted one by one', () => {
    const asked: unknown[] = [];
    const { whose } = indexOf(
      { a: { templates: ['x://{id}'] }, b: { templates: ['x://{id}', '{+any}'] } },
      (ref) => {
        asked.push(ref);
        return ref.server === 'b';
      },
    );
    expect(whose('x://1')).toBe('b:{+any}');
    expect(whose('b:x://2')).toBe('b:x://{id}');
    expect(asked).toEqual([
      { server: 'a', tool: 'x://1' },
      { server: 'b', tool: 'x://1' },
      { server: 'b', tool: 'x://2' },
    ]);
  });
});
