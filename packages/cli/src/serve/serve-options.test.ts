import { describe, expect, it } from 'vitest';

import { findConfig } from '../command/config-path.js';
import { readServeOptions } from './serve-options.js';

const WHERE = { cwd: '/work', env: { HOME: '/home/me' } };
const read = (line: string) =>
  readServeOptions(
    line.split(' ').filter((word) => word !== ''),
    WHERE,
  );

describe('the options of serve', () => {
  it('have defaults', () => {
    expect(read('')).toEqual({
      ...findConfig(undefined, WHERE),
      isBackground: false,
      runsIdle: false,
      http: undefined,
      profile: undefined,
      strict: false,
      readOnly: false,
      isOpen: false,
      quiet: false,
      verbose: false,
      json: false,
    });
  });

  it.each([
    ['--http 3000', { port: 3000 }],
    ['--http=3000', { port: 3000 }],
    ['--http 0', { port: 0 }],
    ['--http localhost:3000', { host: 'localhost', port: 3000 }],
    ['--http 0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
    ['--http [::1]:3000', { host: '::1', port: 3000 }],
    ['--http [fe80::1%eth0]:3000', { host: 'fe80::1%eth0', port: 3000 }],
    ['--http', {}],
    ['--http --strict', {}],
  ])('take an address: %s', (line, http) => {
    expect(read(line)).toMatchObject({ http });
  });

  it.each(['abc', '65536', ':3000', '::1:3000', 'http://localhost:3000', '[::1]', 'a b:1', '1.5'])(
    'refuse other addresses: %s',
    (http) => {
      expect(readServeOptions(['--http', http], WHERE)).toEqual({
        wrong: `--http takes PORT, HOST:PORT or [IPv6]:PORT, not "${http}".`,
      });
    },
  );

  it('expand "~" if no shell has done so', () => {
    expect(read('--config ~/.cursor/mcp.json')).toMatchObject({
      file: '/home/me/.cursor/mcp.json',
    });
    expect(read('-c x.json')).toMatchObject({ file: '/work/x.json' });
  });

  it('take every flag', () => {
    expect(
      read('--stdio --profile auto --strict --read-only --allow-unauthenticated -q -v --json'),
    ).toMatchObject({
      http: undefined,
      profile: 'auto',
      strict: true,
      readOnly: true,
      isOpen: true,
      quiet: true,
      verbose: true,
      json: true,
    });
    expect(read('--profile claude-code')).toMatchObject({ profile: 'claude-code' });
  });

  it.each([
    ['--nonsense', "Unknown option '--nonsense'."],
    ['--htpp', "Unknown option '--htpp'. Did you mean: --http?"],
    ['--readonly', "Unknown option '--readonly'. Did you mean: --read-only?"],
    ['--folder-confi', "Unknown option '--folder-confi'."],
    ['--config', "Option '-c, --config <value>' argument missing."],
    ['--config=', '--config takes the path of a file.'],
    ['--strict=no', "Option '--strict' does not take an argument."],
    ['serve', '"serve" is not expected here.'],
    ['--stdio --http 1', 'Use --stdio or --http, not both.'],
  ])('say what is wrong: %s', (line, wrong) => {
    expect(read(line)).toEqual({ wrong });
  });
});
