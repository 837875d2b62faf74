import { describe, expect, it } from 'vitest';

import { withoutDeepElements } from '../json/deep-elements.js';
import { membersOf } from '../json/json-text.js';
import { definitionFault } from './definition-fault.js';

const deep = (name: string): string =>
  `{"name":"${name}","inputSchema":${'{"a":'.repeat(600)}1${'}'.repeat(600)}}`;
const listOf = (...tools: string[]): string =>
  `{"jsonrpc":"2.0","id":1,"result":{"tools":[${tools.join(',')}],"nextCursor":"x\\"]}"}}`;
const FLAT = '{"name":"flat","description":"has \\"} and ]"}';

describe('a list with elements that are nested too deeply', () => {
  it.each([
    [[deep('a'), FLAT], ['"a"']],
    [[FLAT, deep('z')], ['"z"']],
    [
      [deep('a'), FLAT, deep('b'), FLAT, deep('c')],
      ['"a"', '"b"', '"c"'],
    ],
  ])('F4: is read without them (%#)', (tools, leftOut) => {
    const text = listOf(...tools);
    expect(membersOf(text)).toBeUndefined();
    const shallow = withoutDeepElements(text);
    expect(shallow?.leftOut).toEqual(leftOut);
    const flat = tools.filter((tool) => tool === FLAT);
    expect(shallow?.text).toBe(listOf(...flat));
    expect(membersOf(shallow!.text)?.has('result')).toBe(true);
  });

  it('is unchanged if nothing is nested too deeply', () => {
    expect(withoutDeepElements(listOf(FLAT))).toBeUndefined();
    expect(withoutDeepElements('{"result":')).toBeUndefined();
  });
});

describe('a definition', () => {
  it.each([
    ['{"name":"a","inputSchema":{"type":"object"}}', undefined],
    ['{"name":"a","inputSchema":{"$schema":"x"}}', undefined],
    ['{"name":"a"}', undefined],
    ['{"name":"a","inputSchema":[]}', 'its inputSchema is not an object'],
    ['{"name":"a","inputSchema":{"type":"string"}}', 'the type in its inputSchema is not "object"'],
    [
      '{"name":"a","inputSchema":{"required":"x"}}',
      /required" in its inputSchema is not a list of names/,
    ],
    ['{"name":"a","inputSchema":{"properties":[]}}', /properties .* are not an object/],
    ['{"name":"a","description":null}', 'its description is not a text'],
    ['{"name":"a","annotations":"read"}', 'its annotations are not an object'],
  ])('F4: %s of a tool', (json, fault) => {
    const found = definitionFault('tool', json);
    if (fault instanceof RegExp) expect(found).toMatch(fault);
    else expect(found).toBe(fault);
  });

  it('F4: of a resource needs a name, and that of a prompt a list of arguments', () => {
    expect(definitionFault('resource', '{"uri":"a:b"}')).toBe('it has no name');
    expect(definitionFault('resource', '{"uri":"a:b","name":"b"}')).toBeUndefined();
    expect(definitionFault('prompt', '{"name":"p","arguments":{}}')).toContain('not a list');
  });
});
