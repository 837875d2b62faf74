import { describe, expect, it } from 'vitest';

import { withoutDeepElements } from './deep-elements.js';

/** An element of a list that is `depth` levels deep, with these members first. */
const element = (depth: number, members = ''): string =>
  `{${members}"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const message = (list: string): string => `{"id":1,"result":{"tools":[${list}],"n":{"a":[1]}}}`;

describe('an element of a list', () => {
  it('is removed if it is nested more than 500 levels deep, with the levels around it', () => {
    expect(withoutDeepElements(message(element(497)))).toBeUndefined();
    expect(withoutDeepElements(message(element(498)))).toEqual({
      text: message(''),
      leftOut: ['an element'],
    });
  });

  it.each([
    ['"name":"a",', '"a"'],
    ['"uri" : "x://1",', '"x://1"'],
    ['"uriTemplate":"x://{id}",', '"x://{id}"'],
    ['"name":"say \\"hi\\"",', '"say \\"hi\\""'],
    [`"name":"${'x'.repeat(200)}",`, `"${'x'.repeat(200)}"`],
    [`"name":"${'x'.repeat(201)}",`, 'an element'],
    ['"title":"a",', 'an element'],
  ])('is named by its name or URI: %s', (members, name) => {
    expect(withoutDeepElements(message(element(600, members)))?.leftOut).toEqual([name]);
  });

  it.each([
    ['first', [element(600), '{"a":1}', '{"b":2}'], '{"a":1},{"b":2}'],
    ['in the middle', ['{"a":1}', element(600), '{"b":2}'], '{"a":1},{"b":2}'],
    ['last', ['{"a":1}', '{"b":2}', element(600)], '{"a":1},{"b":2}'],
    ['alone', [element(600)], ''],
    ['twice', [element(600), element(600), '{"b":2}'], '{"b":2}'],
  ])('is removed with one comma: %s', (_, elements, rest) => {
    expect(withoutDeepElements(message(elements.join(',')))?.text).toBe(message(rest));
  });

  it('is removed with the spaces around its comma', () => {
    const text = message(`{"a":1} , ${element(600)}`);
    expect(withoutDeepElements(text)?.text).toBe(message('{"a":1} '));
    const first = message(`${element(600)} , {"a":1}`);
    expect(withoutDeepElements(first)?.text).toBe(message(' {"a":1}'));
  });

  it.each(['"}]}]"', '"\\"[[[{"', '"\\\\"', '"a\\\\\\"]"'])(
    'is found by brackets outside of texts: %s',
    (text) => {
      const flat = `{"t":${text}}`;
      const shallow = withoutDeepElements(message(`${flat},${element(600)},${flat}`));
      expect(shallow?.text).toBe(message(`${flat},${flat}`));
      expect(shallow?.leftOut).toHaveLength(1);
    },
  );

  it('is not found in a text that ends too early', () => {
    expect(withoutDeepElements(`{"result":{"tools":[${'['.repeat(600)}`)).toBeUndefined();
    expect(withoutDeepElements(`{"result":{"tools":[{"a":"${'['.repeat(600)}`)).toBeUndefined();
  });

  it('may be a list as well as an object', () => {
    const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
    expect(withoutDeepElements(message(`1,${deep}`))?.text).toBe(message('1'));
  });
});
