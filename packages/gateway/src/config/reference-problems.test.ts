import { describe, expect, it } from 'vitest';

import { fileWithSettings, linesOf, problemsOf, warningsOf } from './testing/problems-of.js';

const problems = (text: string) => linesOf(problemsOf(fileWithSettings(text)));
const warnings = (text: string) => linesOf(warningsOf(fileWithSettings(text)));

describe('settings that refer to a server', () => {
  it.each([
    [
      '{"servers": {"githb": {}}}',
      '1:105 callsign.servers.githb: names no server in this file → did you mean "github"?',
    ],
    [
      '{"servers": {"GitLab": {}}}',
      '1:105 callsign.servers.GitLab: names no server in this file → ' +
        'servers in this file: "github", "filesystem"',
    ],
    [
      '{"sets": {"a": {"servers": ["x"]}}}',
      '1:120 callsign.sets.a.servers[0]: names no server in this file → ' +
        'servers in this file: "github", "filesystem"',
    ],
    [
      '{"renamed": {"fs": "filesytem"}}',
      '1:111 callsign.renamed.fs: names no server in this file → did you mean "filesystem"?',
    ],
    [
      '{"renamed": {"github": "filesystem"}}',
      '1:105 callsign.renamed.github: is still the key of a server → ' +
        'remove this line, or give the server its new key',
    ],
    [
      '{"aliases": {"rf": "filesytem:read_file"}}',
      '1:111 callsign.aliases.rf: names no server in this file → did you mean "filesystem"?',
    ],
    [
      '{"aliases": {"rf": "read_file"}}',
      '1:111 callsign.aliases.rf: must be a tool, written as server:tool → write "rf": "server:tool"',
    ],
    [
      '{"aliases": {"rf": "github:"}}',
      '1:111 callsign.aliases.rf: must be a tool, written as server:tool → write "rf": "server:tool"',
    ],
  ])('must name an existing one: %s', (text, line) => {
    expect(problems(text)).toEqual([line]);
  });

  it('may use globs that match nothing, which is reported', () => {
    const text =
      '{"tools": {"allow": ["githb:*"], "deny": ["gitlab:x"]}, "annotations": {"filesytem:*": {}}}';
    expect(warnings(text)).toEqual([
      '1:113 callsign.tools.allow[0]: names no server in this file → did you mean "github"?',
      '1:134 callsign.tools.deny[0]: names no server in this file → ' +
        'servers in this file: "github", "filesystem"',
      '1:164 callsign.annotations["filesytem:*"]: names no server in this file → ' +
        'did you mean "filesystem"?',
    ]);
  });

  it.each(['*', '*:delete_*', 'git*:x', 'github:*', '{github,gitlab}:*', 'g?thub:x', 'read_file'])(
    'may be the glob %s',
    (glob) => {
      expect(warnings(JSON.stringify({ tools: { allow: [glob], deny: [glob] } }))).toEqual([]);
    },
  );

  it('are not checked while the file has no servers', () => {
    const text = '{"mcpServers": {}, "callsign": {"servers": {"github": {}}}}';
    expect(warningsOf(text)).toMatchObject([{ code: 'no-servers' }]);
  });
});
