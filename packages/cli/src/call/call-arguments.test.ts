import { parametersOf } from '@callsign/gateway/admin';
import { describe, expect, it } from 'vitest';

import { typedValue } from './argument-json.js';
import { guessAdvice, missingIn, readArguments } from './call-arguments.js';

describe('typed text', () => {
  it.each([
    [{ type: 'string' }, '5', '"5"'],
    [{ type: 'string' }, '', '""'],
    [{ type: 'integer' }, '9007199254740993', '9007199254740993'],
    [{ type: 'number' }, '-1.50', '-1.50'],
    [{ type: 'boolean' }, 'true', 'true'],
    [{ type: 'array' }, '[1, 2]', '[1, 2]'],
    [{ type: 'array' }, 'one', '["one"]'],
    [{ type: 'object' }, '{"a": 1}', '{"a": 1}'],
    [{ type: ['string', 'null'] }, 'null', 'null'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, '7', '7'],
    [{ enum: [1, 'b'] }, '1', '1'],
    [{}, '{"a": 1}', '{"a": 1}'],
    [{}, 'word', '"word"'],
  ])('becomes the type that %o asks for: %s', (schema, text, json) => {
    expect(typedValue(schema, text)).toEqual({ json });
  });

  it.each([
    [{ type: 'integer' }, '1.5', 'takes an integer'],
    [{ type: 'number' }, '0x10', 'takes a number'],
    [{ type: 'boolean' }, 'yes', 'takes a boolean'],
    [{ type: ['integer', 'null'] }, 'x', 'takes an integer or a null'],
    [{ enum: ['a', 'b'] }, 'c', 'takes one of a, b'],
    [{ type: 'object' }, '[]', 'takes an object'],
  ])('is refused if %o asks for another type: %s', (schema, text, wrong) => {
    expect(typedValue(schema, text)).toEqual({ wrong });
  });
});

describe('the arguments of a call', () => {
  const parameters = parametersOf({
    properties: { path: { type: 'string' }, tags: { type: 'array' }, depth: { type: 'integer' } },
    required: ['path', 'depth'],
  });
  const read = (whole: string | undefined, ...words: string[]) =>
    readArguments({ words, whole }, parameters);

  it('come from an object and from words; words win', () => {
    expect(JSON.parse(read('{"path": "a", "depth": 1}', 'path=b=c'))).toEqual({
      path: 'b=c',
      depth: 1,
    });
    expect(read(undefined, 'depth=10000000000000000000')).toBe('{"depth":10000000000000000000}');
  });

  it('may be a list given value by value, and any JSON', () => {
    const value = read(undefined, 'tags=x', 'tags=y', 'other:={"a":[1]}', '__proto__=z');
    expect(value).toBe('{"tags":["x","y"],"other":{"a":[1]},"__proto__":"z"}');
  });

  it.each([
    ['{', 'Line 1, column 2: a closing brace is missing.'],
    ['{"path": "a",\n "depth": one}', 'Line 2, column 11: this word is not valid JSON.'],
    ['{"path": "a",}', 'no comma before a closing bracket'],
    ['[1]', /must be a JSON object, such as \S+ \S+\.$/],
    ['path = "a"', /must be a JSON object, such as \S+ \S+\.$/],
  ])('must be an object: %s', (whole, message) => {
    expect(() => read(whole)).toThrow(message);
  });

  it('say what is wrong with a word', () => {
    expect(() => read(undefined, '=x')).toThrow('"=x" is not an argument');
    expect(() => read(undefined, 'a:=x')).toThrow(
      'The text after a:= must be JSON. For text, write a=…',
    );
    expect(() => read(undefined, 'depth=x')).toThrow('Parameter "depth" takes an integer.');
  });

  it('say how to send text, if a word without a schema was read as JSON', () => {
    const words = ['path=1', 'id=1', 'on=true', 'name=ann', 'list=[1]', 'other:=1', 'word'];
    expect(guessAdvice(words, parameters)).toEqual([
      `"id" was sent as a number, because the tool's schema does not name it. To send text: 'id:="1"'`,
      `"on" was sent as a boolean, because the tool's schema does not name it. To send text: 'on:="true"'`,
    ]);
  });

  it('report missing parameters', () => {
    expect(missingIn('{"path": "x"}', parameters).map(({ name }) => name)).toEqual(['depth']);
  });
});
