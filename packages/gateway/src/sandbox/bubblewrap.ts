/** The command line of bubblewrap for a server with limits (Linux). */

import type { SandboxLimits } from './sandbox-limits.js';

/** What exists on this machine. A folder is hidden by an empty one, a file by one that cannot be opened. */
export interface KnownPaths {
  readonly kind: (path: string) => 'folder' | 'file' | undefined;
}

/** Where the folder with the socket of the proxy is, inside of the sandbox. */
export const PROXY_FOLDER = '/run/callsign';

/** Parts of `/run` that hold no sockets of other programs. */
const RUN_PARTS = [
  '/run/systemd/resolve/resolv.conf',
  '/run/systemd/resolve/stub-resolv.conf',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/current-system',
  '/run/wrappers',
];

interface Mount {
  readonly at: string;
  /** A path is mounted after the folders above it. Of two mounts at one path, the later one counts. */
  readonly words: readonly string[];
}

/** What a sandbox needs whose network is a list of hosts. */
export interface ProxyPlace {
  /** The folder with the socket of the proxy and the settings for the resolver. */
  readonly folder: string;
  /** Where programs look for the settings of the resolver. */
  readonly resolver: string | undefined;
}

/** Arguments for `bwrap`, up to the command. */
export function bubblewrapArguments(
  limits: SandboxLimits,
  { kind }: KnownPaths,
  proxy?: ProxyPlace,
): string[] {
  const hidden = (at: string): Mount[] => {
    const found = kind(at);
    const isTemporary = limits.temporary.some((folder) => at.startsWith(`${folder}/`));
    if (found === undefined || isTemporary) return [];
    // Its content cannot be listed, but folders inside of it that are shown can be reached.
    if (found === 'folder') return [{ at, words: ['--perms', '0111', '--tmpfs', at] }];
    return [{ at, words: ['--ro-bind', '/dev/null', at] }];
  };
  const bound = (option: string, paths: readonly string[]): Mount[] =>
    paths.filter((path) => kind(path)).map((at) => ({ at, words: [option, at, at] }));
  const mounts: Mount[] = [
    ...['/run', ...limits.temporary].map((at) => ({ at, words: ['--tmpfs', at] })),
    ...RUN_PARTS.map((at) => ({ at, words: ['--ro-bind-try', at, at] })),
    ...limits.hide.flatMap(hidden),
    ...bound('--ro-bind', limits.read),
    ...bound('--bind', limits.write),
    ...limits.caches.map(({ at, from }) => ({ at, words: ['--bind', from, at] })),
    ...(proxy ? proxyMounts(proxy) : []),
  ];
  const own = limits.own.flatMap((at): Mount[] => {
    const found = kind(at);
    if (found === undefined) return [];
    const isVisible =
      !limits.temporary.some((folder) => at.startsWith(`${folder}/`)) ||
      [...limits.read, ...limits.write].some((path) => at === path || at.startsWith(`${path}/`));
    if (!isVisible) return [];
    return found === 'folder'
      ? [{ at, words: ['--perms', '0111', '--tmpfs', at] }]
      : [{ at, words: ['--ro-bind', '/dev/null', at] }];
  });
  const closed = [...mounts, ...own].filter(({ words }) => words[0] === '--perms');
  return [
    // Not `--new-session`: the process is the leader of its own session already.
    '--die-with-parent',
    '--unshare-user-try',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(limits.network === 'all' ? [] : ['--unshare-net']),
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    // The sort is stable: at one path, the later mount wins.
    ...mounts.toSorted((a, b) => depth(a.at) - depth(b.at)).flatMap(({ words }) => words),
    ...own.flatMap(({ words }) => words),
    ...closed.flatMap(({ at }) => ['--remount-ro', at]),
    '--chdir',
    limits.cwd,
    '--',
  ];
}

function proxyMounts({ folder, resolver: at }: ProxyPlace): Mount[] {
  const settings = `${folder}/resolv.conf`;
  return [
    { at: PROXY_FOLDER, words: ['--ro-bind', folder, PROXY_FOLDER] },
    ...(at === undefined ? [] : [{ at, words: ['--ro-bind', settings, at] }]),
  ];
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
