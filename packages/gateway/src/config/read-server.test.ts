import { describe, expect, it } from 'vitest';

import { fileWith, linesOf, problemsOf, serverOf, warningsOf } from './testing/problems-of.js';

const problems = (entry: string) => linesOf(problemsOf(fileWith(entry)));
const warnings = (entry: string) => linesOf(warningsOf(fileWith(entry)));

describe('a server on this machine', () => {
  it('needs a command and nothing else', () => {
    expect(serverOf('{"command": "x"}')).toEqual({
      key: 's',
      transport: 'stdio',
      command: 'x',
      args: [],
      env: {},
      settings: expect.any(Object),
      written: { entry: { command: 'x' }, text: '{"command":"x"}', variables: [] },
    });
  });

  it('keeps its entry as written, and the values of its variables', () => {
    const entry = { command: 'x', args: ['${TOKEN}', '${HOME}/data', '${MORE:-other}'] };
    const env = { TOKEN: 'hunter2', HOME: '/home/ann' };
    const { written } = serverOf(JSON.stringify(entry), env);
    // Every server gets the folder of the user.
    const text = JSON.stringify(entry);
    expect(written).toEqual({ entry, text, variables: ['hunter2', 'other'] });
  });

  it('has arguments, an environment and a folder', () => {
    const entry = '{"command": "x", "args": ["a", ""], "env": {"A": "", "B": "b"}, "cwd": "/w"}';
    expect(serverOf(entry)).toMatchObject({
      args: ['a', ''],
      env: { A: '', B: 'b' },
      cwd: '/w',
    });
  });

  it.each(['stdio', 'local'])('may be of type %s', (type) => {
    expect(serverOf(`{"type": "${type}", "command": "x"}`)).toMatchObject({ transport: 'stdio' });
  });

  it('passes numbers and booleans of its environment on as written', () => {
    const entry =
      '{"command": "x", "env": {"N": 12345678901234567890, "F": 1.0, "B": true, "Z": null}}';
    expect(serverOf(entry)).toMatchObject({
      env: { N: '12345678901234567890', F: '1.0', B: 'true' },
    });
    expect(warnings(entry)).toEqual([
      '1:52 mcpServers.s.env.N: is a number and is passed on as text → put it in double quotes',
      '1:79 mcpServers.s.env.F: is a number and is passed on as text → put it in double quotes',
      '1:89 mcpServers.s.env.B: is a boolean and is passed on as text → put it in double quotes',
    ]);
  });
});

describe('a remote server', () => {
  it.each([
    ['"url": "https://example.com/mcp"', 'http-or-sse'],
    ['"serverUrl": "http://localhost:1"', 'http-or-sse'],
    ['"httpUrl": "HTTPS://x"', 'streamable-http'],
    ['"url": "https://x", "type": "http"', 'streamable-http'],
    ['"url": "https://x", "type": "streamable-http"', 'streamable-http'],
    ['"url": "https://x", "type": "streamableHttp"', 'streamable-http'],
    ['"serverUrl": "https://x", "type": "sse"', 'sse'],
  ])('with %s speaks %s', (fields, transport) => {
    expect(serverOf(`{${fields}}`)).toMatchObject({ transport, headers: {} });
  });

  it('keeps its address as written', () => {
    expect(serverOf('{"url": "https://EXAMPLE.com/a?b=c#d"}')).toMatchObject({
      url: 'https://EXAMPLE.com/a?b=c#d',
    });
  });

  it('has headers', () => {
    expect(serverOf('{"url": "https://x", "headers": {"X-N": 1, "A": "é\\t"}}')).toMatchObject({
      headers: { 'X-N': '1', A: 'é\t' },
    });
  });
});

describe('an entry is refused', () => {
  it.each([
    ['5', '1:22 mcpServers.s: must be an object → write "s": {"command": "npx"}'],
    ['null', '1:22 mcpServers.s: must be an object → write "s": {"command": "npx"}'],
    ['[]', '1:22 mcpServers.s: must be an object → write "s": {"command": "npx"}'],
    [
      '{}',
      '1:17 mcpServers.s: has neither a "command" nor a "url" → ' +
        'add "command": "npx" and its "args", or "url": "https://example.com/mcp"',
    ],
    ['{"comand": "x"}', '1:23 mcpServers.s.comand: is not known → did you mean "command"?'],
    [
      '{"server_url": "x"}',
      '1:23 mcpServers.s.server_url: is not known → did you mean "serverUrl"?',
    ],
    [
      '{"command": "x", "url": "https://x"}',
      '1:39 mcpServers.s.url: cannot be combined with "command" → ' +
        'keep "command" for a server on this machine, or "url" for a remote one',
    ],
    [
      '{"url": "https://x", "serverUrl": "https://x"}',
      '1:43 mcpServers.s.serverUrl: cannot be combined with "url" → ' +
        'keep "command" for a server on this machine, or "url" for a remote one',
    ],
    [
      '{"type": "stdio", "url": "https://x"}',
      '1:31 mcpServers.s.type: does not match "url" → remove it, or write "http" or "sse"',
    ],
    [
      '{"command": "x", "type": "sse"}',
      '1:47 mcpServers.s.type: does not match "command" → remove it, or write "stdio"',
    ],
    [
      '{"url": "https://x", "type": "htpp"}',
      '1:51 mcpServers.s.type: is not one of the known words → did you mean "http"?',
    ],
    [
      '{"url": "https://x", "type": 1}',
      '1:51 mcpServers.s.type: is not one of the known words → write "stdio", "local", "http", ' +
        '"streamable-http", "streamableHttp", or "sse"',
    ],
    ['{"command": 5}', '1:34 mcpServers.s.command: must be a string → write "command": "npx"'],
    ['{"command": ""}', '1:34 mcpServers.s.command: must not be empty → write "command": "npx"'],
    ['{"command": ["x"]}', '1:34 mcpServers.s.command: must be a string → write "command": "npx"'],
    ['{"command": {}}', '1:34 mcpServers.s.command.path: is missing → write "path": "npx"'],
    [
      '{"command": {"path": ""}}',
      '1:43 mcpServers.s.command.path: must not be empty → write "path": "npx"',
    ],
    [
      '{"command": "\\u0000"}',
      '1:34 mcpServers.s.command: must not contain a null character → remove it',
    ],
    [
      '{"command": "x", "args": "-y"}',
      '1:47 mcpServers.s.args: must be a list → write "args": ["-y","some-package"]',
    ],
    [
      '{"command": "x", "args": ["a", 5]}',
      '1:53 mcpServers.s.args[1]: must be a string → write "--verbose"',
    ],
    [
      '{"command": "x", "args": [null]}',
      '1:48 mcpServers.s.args[0]: must be a string → write "--verbose"',
    ],
    [
      '{"command": "x", "env": ["A=b"]}',
      '1:46 mcpServers.s.env: must be an object → write "env": {"API_TOKEN":"${API_TOKEN}"}',
    ],
    [
      '{"command": "x", "env": {"A": {}}}',
      '1:52 mcpServers.s.env.A: must be a string → write "A": "value"',
    ],
    [
      '{"command": "x", "env": {"A=B": "c"}}',
      '1:54 mcpServers.s.env["A=B"]: is not a valid variable name → use letters, digits and "_"',
    ],
    [
      '{"command": "x", "cwd": ""}',
      '1:46 mcpServers.s.cwd: must not be empty → write "cwd": "/srv/data"',
    ],
    [
      '{"url": "example.com"}',
      '1:30 mcpServers.s.url: must be an http or https address → ' +
        'write a whole address, such as "https://example.com/mcp"',
    ],
    [
      '{"url": "file:///etc/passwd"}',
      '1:30 mcpServers.s.url: must be an http or https address → ' +
        'write a whole address, such as "https://example.com/mcp"',
    ],
    [
      '{"url": ""}',
      '1:30 mcpServers.s.url: must not be empty → write "url": "https://example.com/mcp"',
    ],
    [
      '{"url": 1}',
      '1:30 mcpServers.s.url: must be a string → write "url": "https://example.com/mcp"',
    ],
    [
      '{"url": "https://me:pw@x"}',
      '1:30 mcpServers.s.url: must not contain a user name or a password → ' +
        'move them to "headers": {"Authorization": "Basic ${CREDENTIALS}"}',
    ],
    [
      '{"url": "https://x", "headers": {"A": "b\\n"}}',
      '1:60 mcpServers.s.headers.A: contains a character that headers do not allow → ' +
        'remove line breaks and other control characters, including those in the variable',
    ],
    [
      '{"url": "https://x", "headers": {"A B": "c"}}',
      '1:62 mcpServers.s.headers["A B"]: is not a valid header name → use letters, digits and hyphens',
    ],
  ])('%s', (entry, line) => {
    expect(problems(entry)).toEqual([line]);
  });

  it('for everything that is wrong with it at once', () => {
    const entry = '{"type": "stdio", "url": "ftp://x", "args": 1, "headers": {"A": []}}';
    expect(problems(entry).map((line) => line.replace(/ →.*/, ''))).toEqual([
      '1:31 mcpServers.s.type: does not match "url"',
      '1:47 mcpServers.s.url: must be an http or https address',
      '1:66 mcpServers.s.args: must be a list',
      '1:86 mcpServers.s.headers.A: must be a string',
    ]);
  });
});

describe('a server key', () => {
  it.each([
    ['a:b', 'Server key "a:b" contains a colon, which separates server and tool; write "a-b".'],
    [
      'callsign',
      'Server key "callsign" is reserved for tools of the gateway itself; give the server another name.',
    ],
    ['', 'A server key must not be empty; give the server a short name.'],
  ])('may not be %j', (key, advice) => {
    expect(problemsOf(`{"mcpServers": {"${key}": {"command": "x"}}}`)).toMatchObject([
      { code: 'server-key', line: 1, column: 17, message: 'cannot be a server key', advice },
    ]);
  });

  it('that some clients have to change is reported', () => {
    expect(warningsOf('{"mcpServers": {"my server": {"command": "x"}}}')).toMatchObject([
      { code: 'server-key', path: 'mcpServers["my server"]', column: 17 },
    ]);
  });
});

describe('a field', () => {
  it.each([
    'timeout',
    'alwaysAllow',
    'autoApprove',
    'disabledTools',
    'description',
    'dev',
    'oauth',
  ])('of the client alone is accepted silently: %s', (field) => {
    expect(warnings(`{"command": "x", "${field}": "$UNSET"}`)).toEqual([]);
  });

  it.each(['envFile', 'env_file', 'headersHelper', 'transport', 'transportType'])(
    'that would change how the server runs is reported: %s',
    (field) => {
      expect(warningsOf(fileWith(`{"command": "x", "${field}": "y"}`))).toMatchObject([
        { code: 'unsupported', column: 39, message: 'is not supported and has no effect' },
      ]);
    },
  );

  it.each([
    ['"arg": []', '1:39 mcpServers.s.arg: is not known and has no effect → did you mean "args"?'],
    [
      '"foo": 1',
      '1:39 mcpServers.s.foo: is not known and has no effect → remove it if it is a typing error',
    ],
  ])('that is unknown is reported: %s', (field, line) => {
    expect(warnings(`{"command": "x", ${field}}`)).toEqual([line]);
  });

  it.each([
    ['{"command": "x", "headers": {}}', ['headers']],
    ['{"url": "https://x", "args": [], "env": {}, "cwd": "/"}', ['args', 'env', 'cwd']],
    ['{"command": {"path": "x"}, "args": ["a"], "env": {"A": "b"}}', ['args', 'env']],
  ])('of the other kind of server is reported: %s', (entry, fields) => {
    expect(warningsOf(fileWith(entry))).toMatchObject(
      fields.map((field) => ({ code: 'ignored-key', path: `mcpServers.s.${field}` })),
    );
  });

  it('that is null is ignored', () => {
    expect(
      serverOf('{"command": "x", "args": null, "env": null, "url": null, "type": null}'),
    ).toMatchObject({
      transport: 'stdio',
      args: [],
      env: {},
    });
    expect(problemsOf(fileWith('{"command": null}'))).toMatchObject([{ code: 'missing-key' }]);
  });
});
