/** The environment of a child: a few safe variables and its own, so that no server sees another's secrets. */

import type { StdioServer } from './server-config.js';
import type { Environment } from './variables.js';

/** Where things are, who the user is and which language they read; nothing that opens a listener. */
const SAFE_ON_POSIX = 'HOME LANG LOGNAME PATH SHELL TERM TMPDIR TZ USER'.split(' ');
const SAFE_ON_WINDOWS = (
  'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE ' +
  'PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE'
).split(' ');

/** Variables that make a program load code; inheriting everything leaves them out. */
const LOADS_CODE = (
  'BASH_ENV ENV JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS NODE_OPTIONS PERL5OPT PYTHONSTARTUP RUBYOPT ' +
  '_JAVA_OPTIONS'
).split(' ');
const LINKER = /^(LD|DYLD)_/;

export function childEnvironment(
  { env, settings: { inheritEnv } }: Pick<StdioServer, 'env' | 'settings'>,
  parent: Environment,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const isWindows = platform === 'win32';
  // Windows takes "Path" and "PATH" for one variable.
  const fold = (name: string): string => (isWindows ? name.toUpperCase() : name);
  const safe = new Set(isWindows ? SAFE_ON_WINDOWS : SAFE_ON_POSIX);
  const named = new Set(Array.isArray(inheritEnv) ? inheritEnv.map(fold) : []);
  const own = new Set(Object.keys(env).map(fold));

  const child: Record<string, string> = {};
  for (const [written, value] of Object.entries(parent)) {
    const name = fold(written);
    const isInherited =
      safe.has(name) ||
      named.has(name) ||
      (!isWindows && name.startsWith('LC_')) ||
      (inheritEnv === true && !LOADS_CODE.includes(name) && !LINKER.test(name));
    // A value that starts with "()" is a shell function that bash would run.
    if (isInherited && !own.has(name) && value !== undefined && !value.startsWith('()')) {
      child[written] = value;
    }
  }
  return { ...child, ...env };
}
