import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { formatProblems } from '@callsign/config';
import { parseConfig } from './parse-config.js';
import { CLIENT_FILES } from './testing/client-files.js';
import { fileWith, fileWithSettings, linesOf, problemsOf } from './testing/problems-of.js';

const parse = (text: string, env: Record<string, string> = {}) =>
  parseConfig(text, { file: 'callsign.json', env });

describe('a configuration', () => {
  it('reports everything that is wrong, in the order of the file', () => {
    const text = `{
  "callsign": { "profil": "auto", "servers": { "gihub": {} } },
  "mcpServers": {
    "github": {
      "command": 5,
      "env": { "TOKEN": "\${TOKEN}", "OTHER": "\${OTHER}" }
    },
    "files": { "comand": "x" },
    "remote": { "url": "\${HOST}", "headers": { "A": "\${input:key}" } }
  }
}`;
    expect(linesOf(problemsOf(text)).map((line) => line.replace(/ →.*/, ''))).toEqual([
      '2:17 callsign.profil: is not a known setting',
      '2:48 callsign.servers.gihub: names no server in this file',
      '5:18 mcpServers.github.command: must be a string',
      '6:25 mcpServers.github.env.TOKEN: needs the environment variable TOKEN, which is not set',
      '6:46 mcpServers.github.env.OTHER: needs the environment variable OTHER, which is not set',
      '8:16 mcpServers.files.comand: is not known',
      '9:24 mcpServers.remote.url: needs the environment variable HOST, which is not set',
      '9:53 mcpServers.remote.headers.A: needs ${input:key}, which only an editor can fill in',
    ]);
  });

  it('names its file', () => {
    expect(parse(fileWith('{"command": "x"}'))).toMatchObject({
      config: { file: 'callsign.json' },
    });
    expect(problemsOf('{}')).toMatchObject([{ file: 'callsign.json' }]);
  });
});

const CANARY = 'c4n4ry-5ecret';

/** The whole output for a text whose variable `S` holds the secret. */
function said(text: string): string {
  const result = parse(text, { S: CANARY });
  const problems = result.ok ? result.warnings : result.problems;
  return JSON.stringify(problems) + formatProblems(problems);
}

describe('a secret', () => {
  const FIELDS = ['command', 'args', 'env', 'cwd', 'url', 'serverUrl', 'headers', 'type', 'x'];
  const VALUES = [
    '"$S"',
    '"a${S}\\u0000"',
    '"${S:?}"',
    '["$S"]',
    '{"A": "$S"}',
    '{"A B": "$S\\n"}',
  ];

  it('in a variable is never shown, with any problem', () => {
    for (const field of FIELDS) {
      for (const value of VALUES) {
        for (const other of [
          '',
          ', "command": "$S"',
          ', "url": "$S"',
          ', "url": "https://$S:$S@x"',
        ]) {
          expect(said(fileWith(`{"${field}": ${value}${other}}`))).not.toContain(CANARY);
        }
      }
    }
  });

  it('in the file itself is never shown either', () => {
    for (const field of FIELDS) {
      for (const value of VALUES) {
        const entry = `{"${field}": ${value.replaceAll('$S', CANARY)}, "headers": {"A": "${CANARY}\\n"}}`;
        expect(said(fileWith(entry))).not.toContain(CANARY);
        expect(said(`${fileWith(entry).slice(0, -2)} "unclosed`)).not.toContain(CANARY);
      }
    }
  });
});

describe('parsing never throws', () => {
  const words =
    'mcpServers servers context_servers callsign s command path args env url headers type disabled ' +
    'profile pattern aliases renamed annotations assume inheritEnv http tools allow __proto__ toString';
  const key = fc.oneof(fc.constantFrom(...words.split(' ')), fc.string());
  const word = fc.oneof(fc.string(), fc.constantFrom('x', '$S', '${B}', '${', 'https://$S', 'a:b'));
  const plain = fc.oneof(word, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      plain.map((value) => JSON.stringify(value)),
      fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
      fc
        .array(fc.tuple(key, tie('json')), { maxLength: 6 })
        .map((members) => `{${members.map(([k, v]) => `${JSON.stringify(k)}: ${v}`).join()}}`),
    ),
  }));

  it('on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => void parse(text)),
      { numRuns: 500 },
    );
  });

  it('on any JSON, and shows no secret', () => {
    fc.assert(
      fc.property(json, json, (servers, callsign) => {
        const text = `{"mcpServers": {"s": ${servers}}, "callsign": ${callsign}}`;
        expect(said(text)).not.toContain(CANARY);
        expect(said(servers)).not.toContain(CANARY);
      }),
      { numRuns: 300 },
    );
  });

  it('on the file of any client, cut anywhere', () => {
    for (const text of [
      ...Object.values(CLIENT_FILES),
      fileWithSettings('{"http": {"port": 1}}'),
    ]) {
      for (let end = 0; end < text.length; end++) {
        const result = parse(text.slice(0, end));
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('many servers with findings', () => {
  const stepsFor = (count: number): number => {
    const entries = Array.from({ length: count }, (_, i) => [`s${i}`, { command: 'x', commnd: 1 }]);
    const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 1);
    const splitting = vi.spyOn(String.prototype, 'matchAll');
    const parsed = parse(text);
    const steps = splitting.mock.contexts.filter((each) => String(each) === text).length;
    splitting.mockRestore();
    expect(parsed).toMatchObject({ ok: true, warnings: { length: count } });
    return steps;
  };

  it('split the file into lines once', () => {
    expect(stepsFor(50)).toBe(1);
  });
});

describe('a relative working folder', () => {
  it('starts at the folder of the file', () => {
    const text =
      '{"mcpServers": {"a": {"command": "x", "cwd": "../.."}, "b": {"command": "x", "cwd": "/abs"}}}';
    const parsed = parseConfig(text, { file: '/home/me/project/conf/callsign.json', env: {} });
    expect(parsed).toMatchObject({
      ok: true,
      config: { servers: [{ cwd: '/home/me' }, { cwd: '/abs' }] },
    });
  });
});
