import { describe, expect, it } from 'vitest';

import { configOf, linesOf, problemsOf, warningsOf } from './testing/problems-of.js';

const problems = (text: string) =>
  linesOf(problemsOf(text)).map((line) => line.replace(/ →.*/, ''));
const keys = (text: string) => configOf(text).servers.map(({ key }) => key);

describe('the servers of a file', () => {
  it.each(['mcpServers', 'servers', 'context_servers'])('may be under %s', (section) => {
    expect(keys(`{"x": 1, "${section}": {"a": {"command": "x"}}, "y": []}`)).toEqual(['a']);
  });

  it('keep the order of the file, numbers included', () => {
    const text =
      '{"servers": {"b": {"command": "x"}, "2": {"command": "x"}, "1": {"command": "x"}}, "mcpServers": {"a": {"command": "x"}}}';
    expect(keys(text)).toEqual(['b', '2', '1', 'a']);
  });

  it.each([
    ['{}', '1:1 : the file names no servers'],
    ['{"callsign": {}}', '1:1 : the file names no servers'],
    ['{"mcp": {"servers": {}}}', '1:1 : the file names no servers'],
    ['{"mcpServers": []}', '1:16 mcpServers: must be an object'],
    ['{"mcpServers": null}', '1:16 mcpServers: must be an object'],
    ['{"mcpServer": {"a": {}}}', '1:2 mcpServer: is not read'],
    ['{"mcp_servers": {"a": {}}}', '1:2 mcp_servers: is not read'],
    ['[]', '1:1 : the file must contain an object'],
    ['"x"', '1:1 : the file must contain an object'],
    ['null', '1:1 : the file must contain an object'],
  ])('are missing in %s', (text, line) => {
    expect(problems(text)).toEqual([line]);
  });

  it.each([
    '{"a": {"command": "x"}}',
    '{"mcp": {"a": {"type": "local", "command": ["x"]}}}',
    '{"mcp": {"servers": {"a": {"url": "https://x"}}}}',
  ])('may be in another place, and the advice says where they belong: %s', (text) => {
    expect(problemsOf(text)).toMatchObject([
      {
        code: 'no-servers',
        advice: 'put the servers under "mcpServers": {"mcpServers": {"a": …}}',
      },
    ]);
  });

  it.each(['{"mcpServers": {}}', '{"mcpServers": {}, "servers": {}}'])(
    'may be none yet, which is reported once with the command that adds one: %s',
    (text) => {
      expect(keys(text)).toEqual([]);
      expect(warningsOf(text)).toMatchObject([
        {
          code: 'no-servers',
          path: 'mcpServers',
          message: 'contains no servers',
          advice: 'to add one: callsign add NAME -- COMMAND',
        },
      ]);
    },
  );

  it('may all be disabled, which is reported', () => {
    const text = '{"mcpServers": {"a": {"disabled": true}, "b": {"enabled": false}}}';
    expect(keys(text)).toEqual([]);
    expect(warningsOf(text)).toMatchObject([
      { code: 'no-servers', message: 'every server in the file is disabled' },
    ]);
  });

  it('are checked only if they are enabled', () => {
    const off = '{"disabled": true, "command": 5, "args": ["$UNSET"]}';
    expect(keys(`{"mcpServers": {"off:": ${off}, "on": {"command": "x"}}}`)).toEqual(['on']);
  });

  it('are disabled by the lists of Gemini CLI', () => {
    const servers = '"mcpServers": {"a": {"command": "x"}, "b": {"command": "${UNSET}"}}';
    expect(keys(`{"mcp": {"excluded": ["b"]}, ${servers}}`)).toEqual(['a']);
    expect(keys(`{"mcp": {"allowed": ["a"]}, ${servers}}`)).toEqual(['a']);
  });

  it('are disabled only by true', () => {
    expect(
      keys('{"mcpServers": {"a": {"command": "x", "disabled": false, "enabled": true}}}'),
    ).toEqual(['a']);
  });
});

describe('a key beside the sections', () => {
  it('is reported if it differs from ours by a typing error', () => {
    const text = '{"callsing": {}, "theme": "x", "mcpServers": {"a": {"command": "x"}}}';
    expect(linesOf(warningsOf(text))).toEqual([
      '1:2 callsing: is not read → did you mean "callsign"?',
    ]);
  });

  it('says that aliases beside the servers have no effect, and where they belong (S14)', () => {
    const text = '{"mcpServers": {"fs": {"command": "node"}}, "aliases": {"rf": "fs:read"}}';
    expect(warningsOf(text)).toMatchObject([
      { code: 'ignored-key', path: 'aliases', advice: 'move it into "callsign": {"aliases": {…}}' },
    ]);
  });
});
