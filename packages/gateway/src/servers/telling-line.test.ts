import { describe, expect, it } from 'vitest';

import { tellingLine } from './last-words.js';

const CASES = [
  {
    by: 'a missing native module, with all places that were tried',
    lines: [
      '  throw err;',
      'Error: Could not locate the bindings file. Tried:',
      ...Array.from({ length: 13 }, (_, i) => ` → /srv/node_modules/sqlite3/${i}.node`),
      ...Array.from({ length: 10 }, (_, i) => `    at load (/srv/loader.js:${i}:1)`),
      '  tries: [',
      ...Array.from({ length: 26 }, (_, i) => `    '/srv/node_modules/sqlite3/${i}.node',`),
      '  ]',
      '}',
      'Node.js v20.20.2',
    ],
    says: 'Error: Could not locate the bindings file. Tried:',
  },
  {
    by: 'an error that Node prints',
    lines: [
      'starting …',
      'file:///srv/server.mjs:2',
      "throw new Error('DATABASE_URL is not set');",
      '      ^',
      '',
      'Error: DATABASE_URL is not set',
      '    at file:///srv/server.mjs:2:7',
      '    at ModuleJob.run (node:internal/modules/esm/module_job:343:25) {',
      "  code: 'E_CONFIG'",
      '}',
      '',
      'Node.js v20.20.2',
    ],
    says: 'Error: DATABASE_URL is not set',
  },
  {
    by: 'npm',
    lines: [
      'npm error code E404',
      'npm error 404 Not Found - no-such-server',
      'npm error 404',
      "npm error 404  'no-such-server@*' is not in this registry.",
      'npm error A complete log of this run can be found in: /home/me/.npm/_logs/1.log',
    ],
    says: 'npm error 404 Not Found - no-such-server',
  },
  {
    by: 'Python',
    lines: [
      'Traceback (most recent call last):',
      '  File "server.py", line 1, in <module>',
      '    import fastmcp',
      "ModuleNotFoundError: No module named 'fastmcp'",
    ],
    says: "ModuleNotFoundError: No module named 'fastmcp'",
  },
  {
    by: 'Go',
    lines: ['panic: open config.yaml: no such file', '', 'goroutine 1 [running]:', 'main.main()'],
    says: 'panic: open config.yaml: no such file',
  },
  {
    by: 'words alone',
    lines: ['  Usage: server --root DIR ', ''],
    says: 'Usage: server --root DIR',
  },
  { by: 'a version alone', lines: ['Node.js v20.20.2'], says: 'Node.js v20.20.2' },
  { by: 'nothing', lines: ['', ' '], says: undefined },
];

describe('the line that says why a server ended', () => {
  it.each(CASES)('is found in what was printed by $by', ({ lines, says }) => {
    expect(tellingLine(lines)).toBe(says);
  });
});
