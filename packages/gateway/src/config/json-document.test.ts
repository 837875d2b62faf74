import { describe, expect, it } from 'vitest';

import { parseConfig } from './parse-config.js';
import { configOf, linesOf, problemsOf } from './testing/problems-of.js';

const lines = (text: string) => linesOf(problemsOf(text)).map((line) => line.replace(/ →.*/, ''));

describe('a document', () => {
  it.each([
    ['comments', '/* a */ {"mcpServers": {"s": {"command": "x" /* b */}}} // c'],
    ['trailing commas', '{"mcpServers": {"s": {"command": "x", "args": ["a",],},},}'],
    ['a byte order mark', '\uFEFF{"mcpServers": {"s": {"command": "x"}}}'],
    ['carriage returns', '{\r\n"mcpServers": {\r\n"s": {"command": "x"}}}\r\n'],
    ['a reference to our schema', '{"$schema": "x", "mcpServers": {"s": {"command": "x"}}}'],
  ])('may contain %s', (_, text) => {
    expect(configOf(text).servers).toMatchObject([{ key: 's', command: 'x' }]);
  });

  it.each([
    'model = "x"\n[mcp_servers.a]\ncommand = "x"\n',
    '# comment\n[mcp_servers."a.b"]\nurl = "https://x"\n',
  ])('of Codex is recognised: %j', (text) => {
    expect(linesOf(problemsOf(text))).toEqual([
      '1:1 : the file is TOML, not JSON → bring its servers into a configuration: callsign import FILE',
    ]);
  });

  it.each([
    ['{"a": 1 "b": 2}', '1:9 b: a comma is missing before this'],
    ['{"a" 1}', '1:6 a: a colon is missing before this'],
    ['{"a": }', '1:7 a: unexpected closing brace; expected a value'],
    ['{"a": tru}', '1:7 a: this word is not valid JSON'],
    ["{'a': 1}", '1:2 : this word is not valid JSON'],
    ['{a: 1}', '1:2 : this word is not valid JSON'],
    ['{"a": "x}', '1:7 a: text is not closed'],
    ['{"a": "C:\\q"}', '1:7 a: a backslash starts no known escape'],
    ['{"a": "\\u12"}', '1:7 a: an escape is not complete'],
    ['{"a": "tab\there"}', '1:7 a: text contains a control character'],
    ['{"a": 1.}', '1:7 a: a number is not complete'],
    ['{"a": [1, 2}', '1:12 a[1]: a list is still open here'],
    ['{"a": {"b": 1]}', '1:14 a.b: an object is still open here'],
    ['[1, 2', '1:6 [1]: a closing bracket is missing'],
    ['{"a": 1', '1:8 a: a closing brace is missing'],
    ['{"a": 1}}', '1:9 : the document ends before this'],
    ['/* a', '1:1 : a comment is never closed'],
  ])('that is broken says where: %s', (text, line) => {
    expect(lines(text)).toEqual([line]);
  });

  it.each([
    ['{,', '1:2 : unexpected comma; expected a property name'],
    ['{"a": 1,, "b": 2}', '1:9 : unexpected comma; expected a property name'],
    ['{"a": [,]}', '1:8 a[0]: unexpected comma; expected a value'],
    ['{"a": ,"b": 1}', '1:7 a: unexpected comma; expected a value'],
    ['{"a":', '1:6 a: unexpected end of the file; expected a value'],
  ])('N29: that has a character too many or too few says which: %s', (text, line) => {
    expect(lines(text)[0]).toBe(line);
  });

  it('reports several errors at once, one for each line', () => {
    expect(lines('{\n"a": 1\n"b": oops oops oops,\n"c": "x\n}')).toEqual([
      '3:1 b: a comma is missing before this',
      '4:6 c: text is not closed',
    ]);
  });

  it('is checked quickly, even with many errors', () => {
    expect(lines('oops '.repeat(100_000))).toHaveLength(1);
    expect(lines('oops\n'.repeat(100_000))).toHaveLength(10);
  });

  it('reports a limited number of errors', () => {
    expect(lines('{\n' + '"a": oops,\n'.repeat(100))).toHaveLength(10);
  });

  it.each(['', '  \n\t', '// only a comment', '/* a */\n'])(
    'without a value is empty: %j',
    (text) => {
      expect(problemsOf(text)).toMatchObject([{ code: 'file-empty', line: 1, column: 1 }]);
    },
  );

  it('has a limited depth', () => {
    expect(problemsOf('['.repeat(1_000_000))).toMatchObject([
      { code: 'too-deep', line: 1, column: 101, message: 'is nested deeper than 100 levels' },
    ]);
    expect(problemsOf('{"a":'.repeat(50_000))).toMatchObject([{ code: 'too-deep' }]);
  });

  it('may have brackets in text and in comments', () => {
    const brackets = '['.repeat(500);
    const text = `/* ${brackets} */ {"mcpServers": {"s": {"command": "${brackets}"}}}`;
    expect(configOf(text).servers).toMatchObject([{ command: brackets }]);
  });
});

describe('keys', () => {
  it('that are duplicates below an entry concern this server alone', () => {
    const bad = '{"command": "x", "command": "y"}';
    const text = `{"mcpServers": {"bad": ${bad}, "good": {"command": "x"}}}`;
    const result = parseConfig(text, { file: 'f.json', env: {}, isLenient: true });
    expect(result).toMatchObject({
      ok: true,
      config: { servers: [{ key: 'good' }], unavailable: [{ key: 'bad' }] },
      warnings: [{ code: 'duplicate-key' }],
    });
  });

  it('that are duplicates are reported with both lines', () => {
    const text = `{
  "mcpServers": {
    "github": { "command": "a" },
    "other": { "command": "b", "env": { "X": "1", "X": "2" } },
    "github": { "command": "c" }
  }
}`;
    expect(linesOf(problemsOf(text))).toEqual([
      '4:51 mcpServers.other.env.X: appears twice, on line 4 and on line 4 → ' +
        'keep one of the two, or give one another key',
      '5:5 mcpServers.github: appears twice, on line 3 and on line 5 → ' +
        'keep one of the two, or give one another key',
    ]);
  });

  it('are compared across the sections of a file', () => {
    const text = '{"mcpServers": {"a": {"command": "x"}},\n"servers": {"a": {"command": "y"}}}';
    expect(lines(text)).toEqual(['2:13 servers.a: appears twice, on line 1 and on line 2']);
  });

  it('of whole sections must be unique too', () => {
    const section = '"mcpServers": {"a": {"command": "x"}}';
    expect(lines(`{${section},\n${section.replace('"a"', '"b"')}}`)).toEqual([
      '2:1 mcpServers: appears twice, on line 1 and on line 2',
    ]);
    expect(lines(`{${section}, "callsign": {}, "callsign": {}}`)).toEqual([
      '1:57 callsign: appears twice, on line 1 and on line 1',
    ]);
    expect(lines(`{${section}, "callsign": {"titles": true, "titles": true}}`)).toEqual([
      '1:70 callsign.titles: appears twice, on line 1 and on line 1',
    ]);
  });

  it('are not checked in sections of the client', () => {
    expect(configOf('{"x": 1, "x": 2, "servers": {"a": {"command": "x"}}}').servers).toHaveLength(
      1,
    );
  });

  it.each([
    ['{"mcpServers": {"__proto__": {"command": "x"}}}', '1:17 mcpServers.__proto__'],
    [
      '{"mcpServers": {"a": {"command": "x", "env": {"__proto__": "y"}}}}',
      '1:47 mcpServers.a.env.__proto__',
    ],
  ])('must not be the prototype: %s', (text, place) => {
    expect(lines(text)).toEqual([`${place}: is reserved by JavaScript`]);
  });

  it('that are reserved make one server unavailable, not the file', () => {
    const text = '{"mcpServers": {"__proto__": {"command": "x"}, "b": {"command": "y"}}}';
    const result = parseConfig(text, { file: 'f.json', env: {}, isLenient: true });
    expect(result).toMatchObject({
      ok: true,
      config: {
        servers: [{ key: 'b' }],
        unavailable: [
          {
            key: '__proto__',
            reason: 'mcpServers.__proto__ is reserved by JavaScript: choose another key',
          },
        ],
      },
    });
  });

  it('may be any other property name of objects', () => {
    const text = '{"mcpServers": {"constructor": {"command": "x", "env": {"toString": "y"}}}}';
    expect(configOf(text).servers).toMatchObject([{ key: 'constructor', env: { toString: 'y' } }]);
  });
});
