import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { childEnvironment, loadsCode } from './child-environment.js';
import { configOf } from './testing/problems-of.js';

type Inherit = boolean | readonly string[];

function server(env: Record<string, string> = {}, inheritEnv: Inherit = false) {
  const { servers } = configOf(
    JSON.stringify({
      mcpServers: { s: { command: 'x', env } },
      callsign: { servers: { s: { inheritEnv } } },
    }),
  );
  if (servers[0]?.transport !== 'stdio') throw new Error('not a child');
  return servers[0];
}

const PARENT = {
  PATH: '/bin',
  HOME: '/home/me',
  LANG: 'en',
  LC_ALL: 'C',
  LC_TIME: 'C',
  TERM: '() { evil; }',
  TZ: '',
  GITHUB_TOKEN: 'canary',
  NODE_OPTIONS: '--require ./evil.js',
  LD_PRELOAD: 'evil.so',
  DYLD_INSERT_LIBRARIES: 'evil.dylib',
  BASH_ENV: 'evil.sh',
  UNSET: undefined,
};
const SAFE = { PATH: '/bin', HOME: '/home/me', LANG: 'en', LC_ALL: 'C', LC_TIME: 'C', TZ: '' };

const environment = (env?: Record<string, string>, inheritEnv?: Inherit) =>
  childEnvironment(server(env, inheritEnv), PARENT, 'linux');

describe('a variable', () => {
  it.each(['NODE_OPTIONS', 'PATH', 'PYTHONPATH', 'NODE_PATH', 'LD_PRELOAD', 'PERL5LIB'])(
    'can load code: %s',
    (name) => {
      expect(loadsCode(name)).toBe(true);
    },
  );

  it.each(['MEMORY_FILE_PATH', 'SQLITE_DB_PATH', 'TOKEN'])('cannot load code: %s', (name) => {
    expect(loadsCode(name)).toBe(false);
  });
});

describe('a child', () => {
  it('sees a few safe variables, and no shell functions', () => {
    expect(environment()).toEqual(SAFE);
  });

  it(
    'sees its own environment on top',
    shows('FR-011', () => {
      expect(
        environment({ TOKEN: 't', HOME: '/srv', NODE_OPTIONS: '--enable-source-maps' }),
      ).toEqual({
        ...SAFE,
        TOKEN: 't',
        HOME: '/srv',
        NODE_OPTIONS: '--enable-source-maps',
      });
    }),
  );

  it('sees further variables that are named', () => {
    expect(environment({}, ['GITHUB_TOKEN', 'LD_PRELOAD', 'UNSET', 'NONE', 'TERM'])).toEqual({
      ...SAFE,
      GITHUB_TOKEN: 'canary',
      LD_PRELOAD: 'evil.so',
    });
  });

  it('sees all variables except those that load code, if it inherits everything', () => {
    expect(environment({}, true)).toEqual({ ...SAFE, GITHUB_TOKEN: 'canary' });
  });

  it('that really runs has none of our secrets', () => {
    const parent = { ...process.env, GITHUB_TOKEN: 'canary', NODE_OPTIONS: '', LD_PRELOAD: '' };
    const env = childEnvironment(server({ OWN: 'mine' }), parent);
    const dump = execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)'], { env });
    const seen = JSON.parse(dump.toString()) as Record<string, string>;
    expect(seen).toMatchObject({ OWN: 'mine', PATH: process.env['PATH'] });
    for (const name of ['GITHUB_TOKEN', 'NODE_OPTIONS', 'LD_PRELOAD']) {
      expect(seen).not.toHaveProperty(name);
    }
  });
});

describe('a child on Windows', () => {
  const parent = {
    Path: 'C:\\bin',
    SystemRoot: 'C:\\Windows',
    ComSpec: 'cmd.exe',
    Temp: 'C:\\t',
    LC_ALL: 'C',
    Token: 'canary',
    node_options: 'evil',
  };
  const environmentOf = (env: Record<string, string>, inheritEnv: Inherit) =>
    childEnvironment(server(env, inheritEnv), parent, 'win32');

  it('sees its safe variables in any case', () => {
    const { Token: _, node_options: __, LC_ALL: ___, ...safe } = parent;
    expect(environmentOf({}, false)).toEqual(safe);
    expect(environmentOf({}, ['TOKEN'])).toEqual({ ...safe, Token: 'canary' });
    expect(environmentOf({}, true)).toEqual({ ...safe, Token: 'canary', LC_ALL: 'C' });
  });

  it('sees its own variable once, in any case', () => {
    expect(environmentOf({ PATH: 'D:\\bin' }, false)).toMatchObject({ PATH: 'D:\\bin' });
    expect(environmentOf({ PATH: 'D:\\bin' }, false)).not.toHaveProperty('Path');
  });
});
