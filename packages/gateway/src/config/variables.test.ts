import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { linesOf, fileWith, problemsOf } from './testing/problems-of.js';
import { expandVariables } from '@callsign/config';

const ENV = { TOKEN: 'secret', EMPTY: '', _HIDDEN: 'h', A1: 'one', lower: 'low', 'MY-VAR': 'dash' };
const expand = (text: string) => expandVariables(text, ENV).text;
const faults = (text: string) => expandVariables(text, ENV).faults;

describe('a variable', () => {
  it.each([
    ['${TOKEN}', 'secret'],
    ['${env:TOKEN}', 'secret'],
    ['${TOKEN:-other}', 'secret'],
    ['${env:TOKEN:-other}', 'secret'],
    ['$TOKEN', 'secret'],
    ['Bearer $TOKEN!', 'Bearer secret!'],
    ['$TOKEN$A1', 'secretone'],
    ['${TOKEN}${A1}', 'secretone'],
    ['/$A1/${A1}/', '/one/one/'],
    ['$_HIDDEN', 'h'],
    ['${lower}', 'low'],
    ['${env:MY-VAR}', 'dash'],
    ['${NONE:-default}', 'default'],
    ['${env:NONE:-default}', 'default'],
    ['${NONE:-}', ''],
    ['${NONE:-a:-b}', 'a:-b'],
    ['${NONE:-http://localhost:80/$x}', 'http://localhost:80/$x'],
    ['${NONE:-two\nlines}', 'two\nlines'],
  ])('is expanded: %j', (text, expanded) => {
    expect(expandVariables(text, ENV)).toEqual({ text: expanded, faults: [] });
  });

  it('that is empty counts as set, with or without a default', () => {
    expect(expand('[${EMPTY}] [$EMPTY] [${EMPTY:-default}]')).toBe('[] [] []');
  });

  it.each([
    '',
    'plain',
    '$',
    '$$',
    'US$5',
    '$lower',
    '$FOObar',
    'pa$$word',
    '$(cmd)',
    '$_',
    '{A1}',
    '$ {A1}',
  ])('is not found in %j', (text) => {
    expect(expandVariables(text, ENV)).toEqual({ text, faults: [] });
  });

  it.each([
    ['$$TOKEN', '$TOKEN'],
    ['$${TOKEN}', '${TOKEN}'],
    ['$${x%y}', '${x%y}'],
    ['a$$TOKEN$A1', 'a$TOKENone'],
  ])('is kept as text by a second dollar sign: %j', (text, expanded) => {
    expect(expandVariables(text, ENV)).toEqual({ text: expanded, faults: [] });
  });

  it('is expanded once: its value is not expanded again', () => {
    expect(expandVariables('${A}', { A: '${B} $B $$B', B: 'b' }).text).toBe('${B} $B $$B');
  });

  it.each([
    ['${NONE}', 'missing', 'NONE'],
    ['$NONE', 'missing', 'NONE'],
    ['${env:NONE}', 'missing', 'NONE'],
    ['${none}', 'missing', 'none'],
    ['${constructor}', 'missing', 'constructor'],
    ['${__proto__}', 'missing', '__proto__'],
    ['${input:token}', 'editor', 'input:token'],
    ['${command:ext.pick-one}', 'editor', 'command:ext.pick-one'],
    ['${config:a.b}', 'editor', 'config:a.b'],
    ['${workspaceFolder}', 'editor', 'workspaceFolder'],
    ['${userHome}', 'editor', 'userHome'],
    ['${/}', 'editor', '/'],
    ['${}', 'malformed', ''],
    ['${ A }', 'malformed', ''],
    ['${a.b}', 'malformed', ''],
    ['${A:?message}', 'malformed', ''],
    ['${env:}', 'malformed', ''],
    ['${env:A\u001bB}', 'malformed', ''],
    ['${unclosed', 'malformed', ''],
    ['${A:-${B}}', 'malformed', ''],
  ])('is wrong in %j: %s', (text, kind, name) => {
    expect(expandVariables(text, ENV)).toEqual({
      text: expect.any(String),
      faults: [{ kind, name }],
    });
  });

  it('leaves the text unchanged if it is wrong', () => {
    expect(expand('${NONE}-${input:x}-$TOKEN')).toBe('${NONE}-${input:x}-secret');
  });

  it('is reported once, even if it is used several times', () => {
    expect(faults('$B1 $B2 ${B1} $B2').map(({ name }) => name)).toEqual(['B1', 'B2']);
  });

  it('that the editor knows may come from the environment', () => {
    expect(expandVariables('${workspaceFolder}', { workspaceFolder: '/w' }).text).toBe('/w');
  });

  it('never throws, and changes nothing without a dollar sign', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: expanded } = expandVariables(text, ENV);
        if (!text.includes('$')) expect(expanded).toBe(text);
      }),
    );
  });
});

describe('a problem with a variable', () => {
  it(
    'names the variable and its place',
    shows('FR-002', () => {
      const text = fileWith(
        '{\n"command": "$BIN",\n"args": ["${ONE} ${TWO}"],\n"env": {"TOKEN": "${T}"}}',
      );
      const [first, ...others] = linesOf(problemsOf(text, { BIN: 'x' }));
      expect(first).toBe(
        '3:10 mcpServers.s.args[0]: needs the environment variable ONE, which is not set → ' +
          'set it, or give a default: "${ONE:-default}"',
      );
      expect(others.map((line) => line.replace(/,.*/, ''))).toEqual([
        '3:10 mcpServers.s.args[0]: needs the environment variable TWO',
        '4:18 mcpServers.s.env.TOKEN: needs the environment variable T',
      ]);
    }),
  );

  it.each([
    ['"command": "$X"', '1:34 mcpServers.s.command'],
    ['"command": {"path": "$X"}', '1:43 mcpServers.s.command.path'],
    ['"command": "x", "cwd": "$X"', '1:46 mcpServers.s.cwd'],
    ['"url": "$X"', '1:30 mcpServers.s.url'],
    ['"serverUrl": "https://$X/mcp"', '1:36 mcpServers.s.serverUrl'],
    ['"url": "https://x", "headers": {"A": "$X"}', '1:60 mcpServers.s.headers.A'],
    ['"url": "https://x", "type": "$X"', '1:51 mcpServers.s.type'],
  ])('is found in %s, and nothing else is reported there', (fields, place) => {
    expect(linesOf(problemsOf(fileWith(`{${fields}}`))).map((line) => line.split(': ')[0])).toEqual(
      [place],
    );
  });

  it.each([
    ['${input:github-token}', '${input:github-token}', '"${GITHUB_TOKEN}"'],
    ['${workspaceFolder}/x', '${workspaceFolder}', '"${WORKSPACE_FOLDER}"'],
    ['${/}', '${/}', '"${VALUE}"'],
  ])('of an editor comes with advice: %j', (text, quoted, variable) => {
    expect(problemsOf(fileWith(`{"command": "${text}"}`))).toMatchObject([
      {
        code: 'editor-variable',
        message: `needs ${quoted}, which only an editor can fill in`,
        advice: `put the value into an environment variable and write ${variable}`,
      },
    ]);
  });

  it('in its form does not quote a possible secret', () => {
    expect(problemsOf(fileWith('{"command": "${TOKEN:?s3cret}"}'))).toMatchObject([
      {
        code: 'malformed-variable',
        message: 'contains a "${" that starts no variable',
        advice: 'write "${NAME}" or "${NAME:-default}"; "$${" keeps it as text',
      },
    ]);
  });
});
