/**
 * The environment of a server process: a few safe variables and its own. Servers share no secrets.
 */

import type { Environment } from '@callsign/config';

/** Paths, user and language. No credentials, and nothing that gives access to a service. */
const SAFE_ON_POSIX = 'HOME LANG LOGNAME PATH SHELL TERM TMPDIR TZ USER'.split(' ');
const SAFE_ON_WINDOWS = (
  'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE ' +
  'PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE'
).split(' ');

/** Variables that make a program load code. Left out if everything is inherited. */
const LOADS_CODE = (
  'BASH_ENV ENV JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS NODE_OPTIONS PERL5OPT PYTHONSTARTUP RUBYOPT ' +
  '_JAVA_OPTIONS'
).split(' ');
const LINKER = /^(LD|DYLD)_/;

/** Variables that name a place for data, such as `MEMORY_FILE_PATH`. */
const DATA_PATH = /_(FILE|DATA|DB|DATABASE|LOG|CACHE|OUTPUT|STORAGE)_PATH$/;

/** Whether a variable can make a program load other code. That includes search paths. */
export function loadsCode(name: string): boolean {
  const upper = name.toUpperCase();
  if (LOADS_CODE.includes(upper) || LINKER.test(upper)) return true;
  return /(PATH|LIB)$/.test(upper) && !DATA_PATH.test(upper);
}

/** Whether every server gets this variable. Its value is no secret. */
export function isForAll(name: string): boolean {
  return process.platform === 'win32'
    ? SAFE_ON_WINDOWS.includes(name.toUpperCase())
    : SAFE_ON_POSIX.includes(name);
}

/** What a server's variables follow from. */
interface InheritingServer {
  readonly env: Readonly<Record<string, string>>;
  readonly settings: { readonly inheritEnv: boolean | readonly string[] };
}

/** The variables of one server. Its own `env` wins over everything inherited from `parent`. */
export function childEnvironment(
  { env, settings: { inheritEnv } }: InheritingServer,
  parent: Environment,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const isWindows = platform === 'win32';
  // On Windows "Path" and "PATH" are the same variable.
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
    // Bash would run a value that starts with "()" as a function.
    if (isInherited && !own.has(name) && value !== undefined && !value.startsWith('()')) {
      child[written] = value;
    }
  }
  return { ...child, ...env };
}

/** The PATH in the environment of a server process. On Windows its name may be written `Path`. */
export function pathIn(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== 'win32' || env['PATH'] !== undefined) return env['PATH'];
  const name = Object.keys(env).find((each) => each.toUpperCase() === 'PATH');
  return name === undefined ? undefined : env[name];
}
