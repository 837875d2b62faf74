/** The profile of sandbox-exec for a server with limits (macOS). */

import type { SandboxLimits } from './sandbox-limits.js';

/** Every server may write there: the terminal, nothing, and standard output by name. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/stdout', '/dev/stderr', '/dev/dtracehelper'];

/** The last rule that matches counts. */
export function seatbeltProfile(limits: SandboxLimits): string {
  const { write, read, hide, own, temporary, caches, network } = limits;
  const writable = [...write, ...temporary, ...caches.map(({ from }) => from)];
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    rule('allow', 'file-write*', writable.map(subpath)),
    rule(
      'allow',
      'file-write*',
      DEVICES.map((path) => `(literal ${quoted(path)})`),
    ),
    rule('deny', 'file-read* file-write*', hide.map(subpath)),
    rule('allow', 'file-read*', read.map(subpath)),
    rule('allow', 'file-read* file-write*', write.map(subpath)),
    rule('deny', 'file-read* file-write*', own.map(subpath)),
    rule(
      'allow',
      'file-read* file-write*',
      caches.map(({ from }) => subpath(from)),
    ),
    ...(network === 'all' ? [] : ['(deny network*)']),
    // Without these, a server could ask other programs to act for it.
    '(deny appleevent-send)',
    '(deny mach-lookup (global-name "com.apple.SecurityServer"))',
    '',
  ]
    .filter((line, index, all) => line !== '' || index === all.length - 1)
    .join('\n');
}

function rule(what: string, actions: string, filters: readonly string[]): string {
  return filters.length === 0 ? '' : `(${what} ${actions} ${filters.join(' ')})`;
}

function subpath(path: string): string {
  return `(subpath ${quoted(path)})`;
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
