/** The command line of bubblewrap for a server with limits (Linux). */

import { dirname, join } from 'node:path';

import { isInside, type SandboxLimits } from './sandbox-limits.js';

/** What exists on this machine. A folder is hidden by an empty one, a file by one that cannot be opened. */
export interface KnownPaths {
  readonly kind: (path: string) => 'folder' | 'file' | undefined;
  /** What is in a folder, and where its links lead. `undefined`: it cannot be read, or it has too much in it. */
  readonly entries: (folder: string) => readonly FolderEntry[] | undefined;
}

export interface FolderEntry {
  readonly name: string;
  /** As the link is written. Missing: it is no link. */
  readonly link?: string;
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
  /** Nothing can be added to it afterwards. */
  readonly isSealed?: boolean;
}

/** What a sandbox needs whose network is a list of hosts. */
interface ProxyPlace {
  /** The folder with the socket of the proxy and the settings for the resolver. */
  readonly folder: string;
  /** Where programs look for the settings of the resolver. */
  readonly resolver: string | undefined;
}

export interface SandboxExtras {
  readonly proxy?: ProxyPlace | undefined;
  /** Variables that only programs in the sandbox may get. Everyone on this machine can read them. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Arguments for `bwrap`, up to the command. */
export function bubblewrapArguments(
  limits: SandboxLimits,
  paths: KnownPaths,
  { proxy, variables = {} }: SandboxExtras = {},
): string[] {
  const { hide, read, write, caches, own, temporary } = limits;
  const bound = (option: string, folders: readonly string[]): Mount[] =>
    folders.filter((path) => paths.kind(path)).map((at) => ({ at, words: [option, at, at] }));
  const closed = [...hide, ...own].flatMap((path) => closing(path, limits, paths));
  const mounts: Mount[] = [
    { at: '/dev', words: ['--dev', '/dev'] },
    { at: '/proc', words: ['--proc', '/proc'] },
    // For root, its files are open without any right, and some of them name programs that the kernel runs.
    { at: '/proc/sys', words: ['--ro-bind-try', '/proc/sys', '/proc/sys'] },
    ...['/run', ...temporary].map((at) => ({ at, words: ['--tmpfs', at] })),
    ...RUN_PARTS.map((at) => ({ at, words: ['--ro-bind-try', at, at] })),
    ...closed.flatMap(({ entries }) => entries),
    ...hide.flatMap((path) => cover(path, limits, paths)),
    ...bound('--ro-bind', read),
    ...bound('--bind', write),
    ...closed.flatMap(({ around }) => around),
    ...caches.map(({ at, from }) => ({ at, words: ['--bind', from, at] })),
    ...(proxy ? proxyMounts(proxy) : []),
  ];
  const covers = own.flatMap((path) => cover(path, limits, paths));
  const sealed = [...mounts, ...covers].filter(({ isSealed }) => isSealed).map(({ at }) => at);
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
    // The sort is stable: at one path, the later mount wins.
    ...mounts.toSorted((a, b) => depth(a.at) - depth(b.at)).flatMap(({ words }) => words),
    ...covers.flatMap(({ words }) => words),
    ...[...new Set(sealed)].flatMap((at) => ['--remount-ro', at]),
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    limits.cwd,
    '--',
  ];
}

/** Hides one path, if it would be seen. */
function cover(at: string, limits: SandboxLimits, { kind }: KnownPaths): Mount[] {
  const found = kind(at);
  if (found === undefined || governing(at, limits) === 'closed') return [];
  // Its content cannot be listed, but folders inside of it that are shown can be reached.
  return found === 'folder'
    ? [{ at, words: ['--perms', '0111', '--tmpfs', at], isSealed: true }]
    : [{ at, words: ['--ro-bind', '/dev/null', at] }];
}

/** What a cover needs so that it stays. */
interface Closing {
  readonly around: readonly Mount[];
  readonly entries: readonly Mount[];
}

/**
 * A cover goes away when a program outside replaces what is below it, as editors do with files. So the folder of a
 * hidden file is put together from its entries. A server that may change a folder could move a covered path away for
 * its next start, so the folders in between are mounted on themselves: a mount cannot be moved.
 */
function closing(path: string, limits: SandboxLimits, { kind, entries }: KnownPaths): Closing {
  const found = kind(path);
  const place = governing(path, limits);
  const folder = dirname(path);
  if (found === undefined || place === 'closed') return { around: [], entries: [] };
  if (place === 'writable') return { around: between(path, limits), entries: [] };
  const known = found === 'file' && folder !== '/' ? entries(folder) : undefined;
  if (!known) return { around: [], entries: [] };
  // What is hidden is left out: its cover must lie on nothing that a program outside can replace.
  const isHidden = (at: string): boolean => limits.hide.includes(at) || limits.own.includes(at);
  return {
    around: [{ at: folder, words: ['--tmpfs', folder], isSealed: true }],
    entries: known
      .map(({ name, link }) => ({ at: join(folder, name), link }))
      .filter(({ at }) => !isHidden(at))
      .map(({ at, link }) => ({
        at,
        words: link === undefined ? ['--ro-bind-try', at, at] : ['--symlink', link, at],
      })),
  };
}

function between(path: string, { write }: SandboxLimits): Mount[] {
  const above = (at: string): string[] => (at === '/' ? [] : [dirname(at), ...above(dirname(at))]);
  return above(path)
    .filter((at) => write.some((folder) => isInside(at, folder)) && !write.includes(at))
    .map((at) => ({ at, words: ['--bind', at, at] }));
}

/** What may be done in the folder of a path: the nearest folder above it decides. */
function governing(path: string, limits: SandboxLimits): 'closed' | 'readable' | 'writable' {
  const { hide, own, read, write, temporary } = limits;
  const kinds = [
    ...['/run', ...temporary, ...hide, ...own].map((at) => ({ at, is: 'closed' as const })),
    ...read.map((at) => ({ at, is: 'readable' as const })),
    ...write.map((at) => ({ at, is: 'writable' as const })),
  ].filter(({ at }) => isInside(path, at));
  const nearest = kinds.toSorted((a, b) => depth(a.at) - depth(b.at)).at(-1);
  return nearest?.is ?? 'readable';
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
