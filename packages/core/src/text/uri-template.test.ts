import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { parseUriTemplate } from './uri-template.js';

/** The characters of a run, and its first one. */
const RUNS: Readonly<Record<string, readonly [lead: string, stops: string]>> = {
  '': ['', '/?#'],
  '+': ['', ''],
  '#': ['#', ''],
  '.': ['.', '/?#'],
  ';': [';', '/?#'],
  '/': ['/', '?#'],
  '?': ['?', '#'],
  '&': ['&', '#'],
};

/** Tries every end of every part. */
function slowly([part, ...rest]: readonly string[], uri: string): boolean {
  if (part === undefined) return uri === '';
  const operator = /^\{(.?)v\}$/.exec(part)?.[1];
  if (operator === undefined) return uri.startsWith(part) && slowly(rest, uri.slice(part.length));
  const [lead, stops] = RUNS[operator]!;
  if (slowly(rest, uri)) return true;
  if (!uri.startsWith(lead)) return false;
  for (let end = 1; end <= uri.length && !stops.includes(uri[end - 1]!); end++) {
    if (slowly(rest, uri.slice(end))) return true;
  }
  return false;
}

const fits = (template: string, uri: string) => parseUriTemplate(template).fits(uri);

describe('a URI template', () => {
  // The examples of RFC 6570, section 3.2.
  it.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['?{x,empty}', '?1024,'],
    ['{var:3}', 'val'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
    ['{keys*}', 'semi=%3B,dot=.,comma=%2C'],
    ['{+half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['{+path}/here', '/foo/bar/here'],
    ['here?ref={+path}', 'here?ref=/foo/bar'],
    ['up{+path}{var}/here', 'up/foo/barvalue/here'],
    ['{+path:6}/here', '/foo/b/here'],
    ['{+keys*}', 'semi=;,dot=.,comma=,'],
    ['{#var}', '#value'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['foo{#empty}', 'foo#'],
    ['foo{#undef}', 'foo'],
    ['X{.var}', 'X.value'],
    ['X{.empty}', 'X.'],
    ['X{.undef}', 'X'],
    ['X{.list*}', 'X.red.green.blue'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{/var,empty}', '/value/'],
    ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{;keys*}', ';semi=%3B;dot=.;comma=%2C'],
    ['{?x,y}', '?x=1024&y=768'],
    ['{?x,y,undef}', '?x=1024&y=768'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['{?undef}', ''],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&x,y,empty}', '&x=1024&y=768&empty='],
    ['{&undef}', ''],
  ])('%s can become %s', (template, uri) => {
    expect(fits(template, uri)).toBe(true);
  });

  it.each([
    ['a://x/{id}', 'a://x/1/2'],
    ['a://x/{id}', 'a://x/1?y=2'],
    ['a://x/{id}', 'a://x/1#y'],
    ['a://x/{id}', 'a://y/1'],
    ['a://x/{id}', 'ba://x/1'],
    ['a://x/{id}', 'a://x'],
    ['a://x/{id}/z', 'a://x/1'],
    ['a://x{.ext}', 'a://x.y/z'],
    ['a://x{;p}', 'a://x;p=1/z'],
    ['a://x{/p}', 'a://x/1?q'],
    ['a://x{/p}', 'a://xy'],
    ['a://x{?q}', 'a://x&q=1'],
    ['a://x{?q}', 'a://x?q=1#f'],
    ['a://x?y=1{&q}', 'a://x?y=1?q=1'],
    ['a://x{#f}', 'a://xf'],
    ['a.b://{x}', 'aXb://1'],
    ['a://(x)+[y]', 'a://xx'],
    ['a://x', 'a://x/'],
    // A variable does not give back text that was matched before it.
    ['a://b{v}b', 'a://b'],
    ['a://bb{v}b', 'a://bb'],
    ['a://x{.ext}x', 'a://x'],
  ])('%s cannot become %s', (template, uri) => {
    expect(fits(template, uri)).toBe(false);
  });

  it('with a star matches several segments, as servers mean it', () => {
    expect(fits('file:///{path*}', 'file:///a/b/c.txt')).toBe(true);
    expect(fits('file:///{path*}', 'http://a')).toBe(false);
  });

  it.each(['a://{x', 'a://x}', 'a://{{x}}'])(
    'that is invalid, %s, still matches itself',
    (template) => {
      expect(fits(template, template)).toBe(true);
      expect(fits(template, 'b://')).toBe(false);
    },
  );

  it('counts its fixed characters', () => {
    expect(parseUriTemplate('a://x/{id}/z').literalLength).toBe(8);
    expect(parseUriTemplate('{+anything}').literalLength).toBe(0);
    expect(parseUriTemplate('').literalLength).toBe(0);
  });

  it('does not hang on a template and a URI that were made to take hours', () => {
    for (const template of [`${'{a}x'.repeat(250)}!`, `${'{a}'.repeat(300)}!`]) {
      expect(withoutHanging(() => fits(template, 'x'.repeat(8_000)))).toBe(false);
    }
  });

  it.each([
    [`x:${'{+a}a'.repeat(16)}!`, `x:${'a'.repeat(8_100)}`],
    [`x:${'{+a}ab'.repeat(16)}!`, `x:${'ab'.repeat(4_000)}`],
    [`x:${'{+a}/{b}'.repeat(8)}!`, `x:${'a/'.repeat(4_000)}`],
    [`${'{+a}.{.b}'.repeat(8)}!`, '.'.repeat(8_100)],
    [`${'{+a}/{;b}'.repeat(8)}!`, '/;'.repeat(4_000)],
  ])('reads a URI at most twice for each of its parts: %s', (template, uri) => {
    const work = { left: 40 * 2 * uri.length };
    expect(parseUriTemplate(template).fits(uri, work)).toBe(false);
    expect(work.left).toBeGreaterThan(0);
    // With less it gives up, even if it would fit.
    const fitting = template.slice(0, -1);
    expect(fits(fitting, uri)).toBe(true);
    expect(parseUriTemplate(fitting).fits(uri, { left: 1_000 })).toBe(false);
  });

  it('finds the same as a slow search over all positions', () => {
    const letter = fc.constantFrom('a', 'b', '/', '.', '?', '&', '#', ';');
    const text = fc.string({ unit: letter, maxLength: 12 });
    const operator = fc.constantFrom('', '+', '#', '.', ';', '/', '?', '&');
    const part = fc.oneof(
      text,
      operator.map((each) => `{${each}v}`),
    );
    const uri = fc.string({ unit: letter, maxLength: 30 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 7 }), uri, (parts, asked) => {
        expect(fits(parts.join(''), asked)).toBe(slowly(parts, asked));
      }),
      { numRuns: 5_000 },
    );
  });

  it('has at most 16 expressions', () => {
    expect(fits('{a}/'.repeat(16), 'x/'.repeat(16))).toBe(true);
    expect(fits('{a}/'.repeat(17), 'x/'.repeat(17))).toBe(false);
  });

  it('ignores texts that are too long', () => {
    expect(fits('{+a}', 'x'.repeat(8_192))).toBe(true);
    expect(fits('{+a}', 'x'.repeat(8_193))).toBe(false);
    expect(fits('x'.repeat(1_025), 'x'.repeat(1_025))).toBe(false);
  });
});
