import { describe, expect, it } from 'vitest';

import { readCommandOptions } from './command-options.js';

const UUID = '3675b69e-8324-4110-bdca-059031aa8da3';
const OTHER = '9d615ede-5758-4954-9fb9-2a07fc415ba5';

describe('the options', () => {
  it('are safe by default', () => {
    expect(readCommandOptions([], {})).toEqual({
      http: undefined,
      key: undefined,
      prefix: undefined,
      safetyMode: undefined,
      projects: undefined,
      dryRun: false,
      sandbox: false,
      json: false,
      help: false,
      version: false,
    });
  });

  it.each([
    ['8080', { host: '127.0.0.1', port: 8080 }],
    ['0', { host: '127.0.0.1', port: 0 }],
    ['localhost:1', { host: 'localhost', port: 1 }],
    ['[::1]:65535', { host: '[::1]', port: 65_535 }],
  ])('accept --http %s', (text, http) => {
    expect(readCommandOptions(['--http', text], {})).toMatchObject({ http });
  });

  it('are read from variables if no flag is given', () => {
    const env = {
      LIGHTDASH_TOOLS_SAFETY_MODE: 'read-only',
      LIGHTDASH_TOOLS_ALLOWED_PROJECTS: `${UUID}, ${OTHER}`,
      LIGHTDASH_TOOLS_DRY_RUN: 'Yes',
    };
    expect(readCommandOptions([], env)).toMatchObject({
      safetyMode: 'read-only',
      projects: [UUID, OTHER],
      dryRun: true,
    });
    const flags = ['--safety-mode', 'write-destructive', '--projects', OTHER];
    expect(readCommandOptions(flags, env)).toMatchObject({
      safetyMode: 'write-destructive',
      projects: [OTHER],
    });
  });

  it.each<[string[], Record<string, string>, string]>([
    [['--stdio', '--http', '1'], {}, 'Use --stdio or --http, not both.'],
    [['--http', 'x'], {}, '--http takes PORT'],
    [['--http', '65536'], {}, '--http takes PORT'],
    [['--http', '::1:80'], {}, '--http takes PORT'],
    [['--http', '0.0.0.0:80'], { MCP_API_KEY: 'k' }, 'Give the one that clients use'],
    [['--http', '[::]:80'], { MCP_API_KEY: 'k' }, 'Give the one that clients use'],
    [['--http', '192.0.2.1:80'], {}, 'Set MCP_API_KEY'],
    [['--safety-mode', 'all'], {}, 'Known: read-only, write-idempotent, write-destructive.'],
    [[], { LIGHTDASH_TOOLS_SAFETY_MODE: 'all' }, 'There is no safety mode "all"'],
    [['--projects', ''], {}, '--projects takes UUIDs'],
    [['--projects', `${UUID},`], {}, '--projects takes UUIDs'],
    [[], { LIGHTDASH_TOOLS_ALLOWED_PROJECTS: 'jaffle' }, 'not "jaffle"'],
    [[], { LIGHTDASH_TOOLS_DRY_RUN: 'on' }, 'LIGHTDASH_TOOLS_DRY_RUN takes yes or no'],
    [['--what'], {}, "Unknown option '--what'"],
    [['serve'], {}, 'serve'],
    [['--prefix'], {}, 'argument missing'],
  ])('are refused as %j with %j', (args, env, words) => {
    expect(readCommandOptions(args, env)).toEqual({ wrong: expect.stringContaining(words) });
  });

  it('allow other machines if a key is set', () => {
    const options = readCommandOptions(['--http', '192.0.2.1:80'], { MCP_API_KEY: 'k' });
    expect(options).toMatchObject({ http: { host: '192.0.2.1', port: 80 }, key: 'k' });
  });
});
