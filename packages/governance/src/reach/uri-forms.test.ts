import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { normalGlob, uriForms } from './uri-forms.js';

describe('the forms of a URI', () => {
  it.each([
    ['file:///secret/a', 'file:///x/../secret/a'],
    ['file:///secret/a', 'file:///./secret//a'],
    ['file:///secret/a', 'FILE:///secret/a'],
    ['file:///secret/a', 'file://localhost/secret/a'],
    ['file:///secret/a', 'file:/secret/a'],
    ['file:///secret/a', 'file:///secret%2Fa'],
    ['file:///secret/a', 'file:///%73ecret/a'],
    ['file:///secret/a', 'file:///x/%2e%2E/secret/a'],
    ['file:///secret/a', 'file:///x%252F..%252Fsecret/a'],
    ['file:///secret/a', 'file:///x\\..\\secret\\a'],
    ['file:///secret/a', 'file:///../../secret/a'],
    ['http://host/a', 'HTTP://HOST/a'],
    ['note://secret/a', 'note://free/../secret/a'],
    ['note://secret/a', 'note://./secret/a'],
    ['note://secret/a', 'note://../secret/a'],
  ])('V1: contain %s for %s', (normal, uri) => {
    expect(uriForms(uri)!.exact).toContain(normal);
  });

  it.each([
    ['file:///secret/a', 'file:///Secret/A'],
    ['file:///secret/a', 'file:///secret/a?x=1#y'],
    ['file:///caf\u00E9', 'file:///cafe\u0301'],
  ])('V1: contain %s for %s, for a denial', (normal, uri) => {
    expect(uriForms(uri)!.loose).toContain(normal);
  });

  it.each(['file:///a%00.txt', 'file:///a\nb', `x://${'%25'.repeat(1)}${'25'.repeat(20)}41`])(
    'V1: do not exist for URIs that no honest client writes: %j',
    (uri) => {
      expect(uriForms(uri)).toBeUndefined();
    },
  );

  it.each([
    ['file:///a/b/..', 'file:///a/'],
    ['file:///a/.', 'file:///a/'],
    ['file:///a//', 'file:///a/'],
    ['file:///a/..', 'file:///'],
    ['x:/a/../b', 'x:/b'],
    ['URN:a/../b/', 'urn:a/../b/'],
    ['http://LOCALHOST/a/../b', 'http://localhost/b'],
    ['file://Server/a', 'file://server/a'],
    ['FILE://LocalHost/a', 'file:///a'],
    ['x://a/b?q=/../c#/../d', undefined],
    // Not a URI: its text is kept, except for the slashes.
    ['-file:///a/../b', undefined],
    ['1:\\a', '1:/a'],
    // Bytes that are not UTF-8 stay encoded, and those between them do not.
    ['x:%FF%41%C3', 'x:%FFA%C3'],
    ['x:%C3%A9', 'x:\u00E9'],
  ])('of %s are itself and %s', (uri, normal) => {
    expect(uriForms(uri)!.exact).toEqual(normal === undefined ? [uri] : [uri, normal]);
  });

  it('are found for text that is encoded up to eight times', () => {
    const encoded = (times: number): string => `x:%${'25'.repeat(times - 1)}41`;
    expect(uriForms(encoded(8))!.exact).toContain('x:A');
    expect(uriForms(encoded(9))).toBeUndefined();
  });

  it('keep plain URIs unchanged', () => {
    for (const uri of ['file:///a/b.txt', 'note://1', 'urn:isbn:1', 'x:y', 'docs://a/b/']) {
      expect(uriForms(uri)!.exact).toEqual([uri]);
      expect(normalGlob(`s:${uri}*`)).toBe(`s:${uri}*`);
    }
  });

  it.each([
    ['no colon', '*/../a', '*/../a'],
    ['a path', 's:FILE://localhost/x/../a/*', 's:file:///a/*'],
    ['encoded text', 's:file:///%61/*', 's:file:///a/*'],
    ['stars and question marks', '*:note://?/*?', '*:note://?/*?'],
  ])('normalize a glob with %s', (_, glob, normal) => {
    expect(normalGlob(glob)).toBe(normal);
  });

  it('are found for any text, in bounded time', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (uri) => void uriForms(uri)));
    withoutHanging(() => uriForms(`file:///${'%2e%2e/'.repeat(5_000)}`));
    withoutHanging(() => uriForms(`file:///${'%25'.repeat(5_000)}`));
  });
});
