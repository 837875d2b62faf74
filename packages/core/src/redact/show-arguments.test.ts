import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { showArguments, type RedactOptions } from './redact-arguments.js';

const shown = (value: unknown, options?: RedactOptions, schema?: object) =>
  showArguments(JSON.stringify(value), schema && JSON.stringify(schema), options);
const hiddenIn = (value: unknown, options?: RedactOptions, schema?: object) =>
  shown(value, options, schema).hidden;

describe('the parts that a person does not see', () => {
  it('are none if everything is shown', () => {
    expect(shown({ a: [1, 'text'], b: null })).toEqual({
      text: '{"a":[1,"text"],"b":null}',
      hidden: [],
    });
  });

  it.each([
    ['{"env":{"password":"hunter2"}}', 'env.password', 9, 'secret'],
    ['{"args":["x","token=abcdef"]}', 'args.1', 6, 'secret'],
    ['{"args":["--password","x1"]}', 'args.1', 4, 'secret'],
    ['{"element":"Password field","text":"hunter2"}', 'text', 9, 'secret'],
    ['{"selector":"input[type=password]","value":"x"}', 'value', 3, 'secret'],
    [
      `{"lines":["-----BEGIN PRIVATE KEY-----","${'Ab1+'.repeat(16)}","rm -rf /"]}`,
      'lines.1',
      66,
      'secret',
    ],
    [`{"a":{"b":"${'x'.repeat(310)}"}}`, 'a.b', 10, 'length'],
    [`{"n":1${'0'.repeat(40)}}`, 'n', 41, 'length'],
    [`{"f":{"${'A'.repeat(100)} ; rm -rf /":1}}`, `f.${'A'.repeat(40)}…`, 11, 'length'],
  ] as const)('are named with place, size and reason: %s', (json, at, characters, because) => {
    expect(showArguments(json, undefined).hidden).toEqual([{ at, characters, because }]);
  });

  it('include what the schema marks', () => {
    const schema = { properties: { pw: { format: 'password' } } };
    expect(hiddenIn({ pw: [1, 2] }, {}, schema)).toEqual([
      { at: 'pw', characters: 5, because: 'secret' },
    ]);
  });

  it('include what is nested too deeply', () => {
    const json = `${'['.repeat(11)}1${']'.repeat(11)}`;
    expect(showArguments(json, undefined).hidden).toEqual([
      { at: '0.0.0.0.0.0.0.0.0.0', characters: 3, because: 'length' },
    ]);
  });

  it('include members and elements for which there is no space, in order', () => {
    const options = { maxLength: 5 };
    expect(hiddenIn({ a: 'xxxxx', b: [1], c: 'y' }, options)).toEqual([
      { at: 'b', characters: 4, because: 'length' },
      { at: 'c', characters: 4, because: 'length' },
    ]);
    expect(hiddenIn({ a: ['xxxxx', 'y', 22] }, { maxLength: 10 })).toEqual([
      { at: 'a.1', characters: 3, because: 'length' },
      { at: 'a.2', characters: 2, because: 'length' },
    ]);
  });

  it('are the first eight, and the sum of the rest', () => {
    const nine = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`password_${i}`, i]));
    const eight = Object.fromEntries(Object.entries(nine).slice(0, 8));
    expect(hiddenIn(eight)).toHaveLength(8);
    expect(hiddenIn(eight).at(-1)?.at).toBe('password_7');
    expect(hiddenIn({ ...nine, token: 'abc' })).toHaveLength(9);
    expect(hiddenIn({ ...nine, token: 'abc' }).at(-1)).toEqual({
      at: '2 more places',
      characters: 6,
      because: 'length',
    });
  });

  it('are named by short keys, with every letter visible', () => {
    const [long] = hiddenIn({ [`password${'x'.repeat(50)}`]: '' });
    expect(long?.at).toBe(`password${'x'.repeat(32)}…`);
    expect(hiddenIn({ 'a\n': { pin: 1 } })[0]?.at).toBe('a⟨U+000A⟩.pin');
  });

  it('are everything if the text cannot be read or is too long', () => {
    expect(showArguments('{"password":1', undefined)).toEqual({
      text: '"[unreadable]"',
      hidden: [{ at: '', characters: 13, because: 'length' }],
    });
    const long = `"${'x'.repeat(4 * 1024 * 1024)}"`;
    expect(showArguments(long, undefined).hidden).toEqual([
      { at: '', characters: long.length, because: 'length' },
    ]);
  });

  it('are counted without the marks that replace them', () => {
    const text = 'see [redacted] and token=abcdef';
    expect(hiddenIn({ text })).toEqual([{ at: 'text', characters: 6, because: 'secret' }]);
    // Here the mark is longer than the secret.
    expect(hiddenIn({ text: 'password=abc' })).toEqual([
      { at: 'text', characters: 3, because: 'secret' },
    ]);
  });

  it('include the end of a text that was not searched for secrets', () => {
    const hidden = hiddenIn({ a: 'x'.repeat(9_000) });
    expect(hidden).toEqual([{ at: 'a', characters: 8_700, because: 'length' }]);
    expect(hiddenIn({ a: 'x'.repeat(9_000) }, { maxText: 8_999, maxLength: 20_000 })).toEqual([
      { at: 'a', characters: 1, because: 'length' },
    ]);
  });
});

describe('the whole of the arguments', () => {
  const WHOLE = { isWhole: true, maxLength: 10, maxText: 3 };
  const whole = (json: string) => showArguments(json, undefined, WHOLE);

  it.each([
    ['a long key', `{"${'A'.repeat(10_000)}":1}`],
    ['a long text', `{"a":"${'x'.repeat(100_000)}"}`],
    ['a long number', `[${'9'.repeat(1_000)}]`],
    ['deep nesting', `${'{"a":['.repeat(255)}1${']}'.repeat(255)}`],
    ['many values', JSON.stringify(Array.from({ length: 10_000 }, (_, i) => ({ [`k${i}`]: i })))],
  ])('is shown with %s', (_, json) => {
    expect(whole(json)).toEqual({ text: json, hidden: [] });
  });

  it('has no secrets, at any depth', () => {
    const nested = (inner: string): string => `${'['.repeat(200)}${inner}${']'.repeat(200)}`;
    expect(whole(nested('{"password":"hunter2"}'))).toEqual({
      text: nested('{"password":"[redacted]"}'),
      hidden: [{ at: '0.0.0.0.0.0.….0.0.0.0.0.password', characters: 9, because: 'secret' }],
    });
    expect(whole(nested('{"name":"API_KEY","value":"x"}')).text).toBe(
      nested('{"name":"API_KEY","value":"[redacted]"}'),
    );
  });

  it('is not read deeper than a message may be', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    expect(whole(nested(513)).hidden).toHaveLength(1);
    expect(whole(nested(1_000_000)).text).toBe('"[unreadable]"');
  });

  it('does not hang on megabytes inside many levels', () => {
    const inner = '1,'.repeat(1_900_000);
    withoutHanging(() => whole(`${'['.repeat(500)}${inner}1${']'.repeat(500)}`));
  });
});

describe('limits', () => {
  it('can be set for each text and for everything', () => {
    expect(shown({ a: 'abcdef' }, { maxText: 3 }).text).toBe('{"a":"abc…"}');
    expect(shown({ a: 'abc' }, { maxText: 3 }).text).toBe('{"a":"abc"}');
    expect(shown([1, 2, 3, 4], { maxLength: 4 }).text).toBe('[1,2,"… 2 more"]');
  });
});
