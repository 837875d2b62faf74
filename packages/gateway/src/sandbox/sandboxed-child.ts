/** Starts a server in its sandbox. If the sandbox cannot be set up, nothing is started. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

import { homeIn, makeFolder, socketFolder, stateFolder, type Environment } from '@callsign/config';
import { configFolder } from '@callsign/config/config-folder';
import { openChild, type Channel, type ChildOptions, type OpenChannel } from '@callsign/wire/rpc';

import type { SandboxSettings } from '../config/sandbox-settings.js';
import { bubblewrapArguments, type FolderEntry } from './bubblewrap.js';
import { openHostProxy, spelled, type WantedHost } from './host-proxy.js';
import { INSIDE } from './inside-text.js';
import { errorTextIn, refusalIn, type Refusals, withSentence } from './refusals.js';
import { isInside, limitsInWords, sandboxLimits, type SandboxLimits } from './sandbox-limits.js';
import { seatbeltProfile } from './seatbelt.js';

/** For commands that watch a server instead of only limiting it. */
export interface SandboxWatch {
  /** The file into which strace writes what the server does. */
  readonly trace: string;
  /** Gets every host that the server asks the proxy for. Returns true if it may be reached. */
  readonly onHost?: ((wanted: WantedHost) => boolean) | undefined;
  /** Folders that it needs to start. It gets empty ones in their place, so that nothing is changed. */
  readonly privately?: readonly string[] | undefined;
  /** Told the version that the server announces. */
  readonly onVersion?: ((version: string) => void) | undefined;
}

export interface SandboxOptions {
  readonly key: string;
  readonly settings: SandboxSettings;
  /** The variables of the gateway: they decide where its state is. */
  readonly env: Environment;
  /** The configuration, which no server sees. */
  readonly file?: string | undefined;
  readonly refusals: Refusals;
  readonly watch?: SandboxWatch | undefined;
}

/**
 * A folder that a restart may find again: the start of a server costs a download only once. Another command, or the same
 * key in another configuration, has another folder: a server could have changed the packages in its own.
 */
function cachesOf(state: string, parts: readonly unknown[]): string {
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  return join(state, 'sandboxes', name);
}

/** Starts nothing yet. The sandbox is set up at each start, because folders may have come or gone. */
export function openSandboxed(child: ChildOptions, options: SandboxOptions): OpenChannel {
  return (events) => {
    const { settings, refusals, watch } = options;
    const fault = sandboxFault(watch !== undefined);
    if (fault !== undefined) return closedChannel(fault, events.onClose);
    let made: PreparedSandbox;
    try {
      made = prepare(child, options);
    } catch (error) {
      const reason = `its sandbox cannot be set up: ${(error as Error).message}`;
      return closedChannel(reason, events.onClose);
    }
    const { limits, close } = made;
    const inner = openChild({ ...child, ...made.child });
    const hasNetwork = settings.network === 'all';
    let known = refusals.total;
    const explained = (text: string): string => {
      const error = errorTextIn(text);
      if (error === undefined) return text;
      const said = refusalIn(error, hasNetwork);
      const path = said === undefined || said === 'the network' ? said : resolve(limits.cwd, said);
      const isOurs = path !== undefined && (path === 'the network' || isLimited(path, limits));
      if (isOurs) refusals.add(path);
      if (refusals.total === known) return text;
      known = refusals.total;
      const what = isOurs ? path : refusals.list.at(-1);
      return withSentence(text, sentence(options.key, what ?? '', limits));
    };
    const channel = inner({
      ...events,
      onText: (text, about) => {
        if (watch?.onVersion && text.includes('"serverInfo"')) noteVersion(text, watch.onVersion);
        return events.onText(explained(text), about);
      },
      onClose: (reason) => {
        close();
        events.onClose(reason);
      },
    });
    return {
      send: (text, about) => channel.send(text, about),
      abandon: (id) => channel.abandon(id),
      get backlog() {
        return channel.backlog;
      },
      close: () => channel.close().finally(close),
    };
  };
}

function noteVersion(text: string, note: (version: string) => void): void {
  try {
    const { result } = JSON.parse(text) as { result?: { serverInfo?: { version?: unknown } } };
    const version = result?.serverInfo?.version;
    if (typeof version === 'string') note(version.slice(0, 100));
  } catch {
    // It is not a message. Others say so.
  }
}

/** What callers and the operator read after a refusal. */
function sentence(key: string, what: string, limits: SandboxLimits): string {
  return `The sandbox of server "${key}" refused ${what} (it ${limitsInWords(limits)}). The operator can change this: setting "sandbox" of the server.`;
}

/** Whether the sandbox, and not the system, keeps a path from the server. */
function isLimited(path: string, { write, hide, own, temporary }: SandboxLimits): boolean {
  const isIn = (folders: readonly string[]): boolean =>
    folders.some((folder) => isInside(path, folder, true));
  if (isIn(hide) || isIn(own)) return true;
  return !isIn(write) && !isIn(temporary);
}

const RESOLVER = '/etc/resolv.conf';
/** The path of a socket may have about 100 bytes. The folder and the socket in it have 30. */
const LONGEST_TEMPORARY = 70;

function shortTemporary(): string {
  const usual = realpathSync(tmpdir());
  return Buffer.byteLength(usual) > LONGEST_TEMPORARY ? realpathSync('/tmp') : usual;
}

interface PreparedSandbox {
  readonly limits: SandboxLimits;
  readonly child: Pick<ChildOptions, 'command' | 'args' | 'env' | 'cwd'>;
  readonly close: () => void;
}

function prepare(child: ChildOptions, options: SandboxOptions): PreparedSandbox {
  const { watch, refusals } = options;
  const limits = limitsOf(child, options);
  const command = [child.command, ...child.args];
  const fault = limitsFault(limits, command);
  if (fault !== undefined) throw new Error(fault);
  for (const path of limits.write) if (!existsSync(path)) makeFolder(path);
  for (const { at, from } of limits.caches) {
    makeFolder(from);
    if (!existsSync(at)) makeFolder(at);
  }
  const env = environment(child.env, limits);
  if (process.platform === 'darwin') {
    const args = ['-p', seatbeltProfile(limits), ...command];
    return {
      limits,
      child: { command: '/usr/bin/sandbox-exec', args, env, cwd: limits.cwd },
      close: () => undefined,
    };
  }
  const { network } = limits;
  const hosts = typeof network === 'object' ? network : undefined;
  const folder = hosts && mkdtempSync(join(shortTemporary(), 'callsign-net-'));
  // Names are resolved by the proxy. A question to a resolver fails at once, and is seen if the server is watched.
  if (folder !== undefined) writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\n');
  const closeProxy =
    folder === undefined
      ? undefined
      : openHostProxy({
          path: join(folder, 'proxy.sock'),
          hosts: hosts ?? [],
          allows: watch?.onHost,
          onRefused: (wanted) => refusals.add(spelled(wanted)),
        });
  const inside = hosts === undefined ? command : [process.execPath, '-e', INSIDE, ...command];
  const proxy = folder === undefined ? undefined : { folder, resolver: real(RESOLVER) };
  const { outside, variables } = withoutLoader(env);
  const wrapped = [
    program('bwrap')!,
    ...bubblewrapArguments(limits, { kind: kindOf, entries: entriesOf }, { proxy, variables }),
    ...inside,
  ];
  const whole = watch ? [program('strace')!, ...straceArguments(watch.trace), ...wrapped] : wrapped;
  return {
    limits,
    child: { command: whole[0]!, args: whole.slice(1), env: outside, cwd: '/' },
    close: () => {
      closeProxy?.();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the server needs to start, and its own sandbox hides. */
function limitsFault(
  { cwd, hide, own, read, write }: SandboxLimits,
  command: readonly string[],
): string | undefined {
  const processes = [...read, ...write].find((path) => isInside(path, '/proc', true));
  if (processes !== undefined)
    return `${processes} belongs to all processes of this machine; remove it from "read" and "write"`;
  const isShown = (path: string, folder: string): boolean =>
    [...read, ...write].some((each) => isInside(path, each, true) && isInside(each, folder, true));
  const named = command.filter((word) => isAbsolute(word) && existsSync(word));
  const needed = [cwd, ...named, ...named.map((word) => real(word))];
  for (const path of needed) {
    if (path === undefined) continue;
    const ours = own.find((folder) => isInside(path, folder, true));
    if (ours !== undefined)
      return `it needs ${path}, but ${ours} belongs to Callsign and is always hidden; move the server to another folder`;
    const hidden = hide.find((folder) => isInside(path, folder, true) && !isShown(path, folder));
    if (hidden !== undefined)
      return `it needs ${path}, but ${hidden} is hidden; add the folder of the server to "read", or move it`;
  }
  return undefined;
}

/** The limits of a server that is started with this command, on this machine. */
export function limitsOf(
  { command, args, env, cwd }: Pick<ChildOptions, 'command' | 'args' | 'env' | 'cwd'>,
  {
    key,
    settings,
    env: own,
    file,
    watch,
  }: Pick<SandboxOptions, 'key' | 'settings' | 'env' | 'file' | 'watch'>,
): SandboxLimits {
  const home = homeIn(own);
  const state = stateFolder(home);
  const ours = [
    state,
    socketFolder(state),
    configFolder(home),
    ...(file === undefined ? [] : [file]),
  ];
  // A server may have another home folder, and its files are secrets as well.
  const { home: serversHome } = homeIn(env);
  const places = [...new Set([serversHome, home.home])].map((folder) =>
    sandboxLimits(settings, [command, ...args], {
      home: folder,
      cwd: cwd ?? process.cwd(),
      own: ours,
      caches: cachesOf(state, [file ?? null, key, command, args]),
      temporary: ['/tmp', '/var/tmp', tmpdir(), ...(watch?.privately ?? [])].filter((path) =>
        existsSync(path),
      ),
      real,
      isFolder: (path) => kindOf(path) === 'folder',
    }),
  );
  const [first, second] = places;
  return second ? { ...first!, hide: [...new Set([...first!.hide, ...second.hide])] } : first!;
}

/** Without a network, launchers must use what they have. */
function environment(
  env: ChildOptions['env'],
  { caches, network }: SandboxLimits,
): Record<string, string> {
  const isOffline =
    caches.length > 0 && network !== 'all' && (network === 'none' || network.length === 0);
  const offline = isOffline ? { npm_config_offline: 'true', UV_OFFLINE: '1' } : {};
  return { ...env, TMPDIR: '/tmp', ...offline };
}

/** What the loader of programs reads. bubblewrap runs outside, so it must not load what the server can change. */
const LOADER = /^(?:LD_|GLIBC_|GCONV_PATH$|LOCPATH$)/;

function withoutLoader(env: Readonly<Record<string, string>>): {
  readonly outside: Record<string, string>;
  readonly variables: Record<string, string>;
} {
  const [inner, outer] = [true, false].map((isInner) =>
    Object.fromEntries(Object.entries(env).filter(([name]) => LOADER.test(name) === isInner)),
  );
  return { outside: outer!, variables: inner! };
}

/** The system calls that strace writes down. */
const WATCHED = [
  'execve,execveat,open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink',
  'unlinkat,rmdir,link,linkat,symlink,symlinkat,truncate,ftruncate,chmod,fchmodat,chown',
  'fchownat,lchown,mknod,mknodat,setxattr,connect,sendto,sendmsg,sendmmsg,bind,io_uring_setup',
];

function straceArguments(file: string): string[] {
  const flags = ['-f', '-qq', '-ttt', '-y', '-s', '512', '--seccomp-bpf', '-o', file];
  return [...flags, '-e', `trace=${WATCHED.join(',')}`, '-e', 'signal=none'];
}

/** Why no sandbox can be set up here, and what to do. `undefined`: it can. */
export function sandboxFault(isWatched = false): string | undefined {
  if (process.platform === 'darwin' && !isWatched) return undefined;
  if (process.platform !== 'linux') {
    return isWatched
      ? 'it can be observed on Linux only'
      : 'there is no sandbox on this system; remove "sandbox" from its settings, or run it in a container';
  }
  const bwrap = program('bwrap');
  if (bwrap === undefined) {
    return 'its sandbox needs bubblewrap; install it, for example: apt-get install bubblewrap';
  }
  if (isWatched && program('strace') === undefined) {
    return 'observing needs strace; install it, for example: apt-get install strace';
  }
  tried ??= tryBubblewrap(bwrap);
  return tried.problem;
}

/** Tried once: it takes a few milliseconds, and the answer does not change while we run. */
let tried: { readonly problem: string | undefined } | undefined;

function tryBubblewrap(bwrap: string): { readonly problem: string | undefined } {
  const args = ['--unshare-user-try', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/'];
  const all = [...args, '--dev', '/dev', '--proc', '/proc', '--perms', '0111', '--tmpfs', '/tmp'];
  const { status, stderr } = spawnSync(bwrap, [...all, '--', 'true'], {
    encoding: 'utf8',
    timeout: 10_000,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
  if (status === 0) return { problem: undefined };
  const said = (stderr ?? '').trim().split('\n').at(-1) || `bubblewrap ended with ${status}`;
  const advice =
    'allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, an AppArmor profile for bwrap, or a container that permits them), or remove "sandbox" from its settings';
  return { problem: `its sandbox cannot be set up (${said}); ${advice}` };
}

/**
 * The program of the system, else the first one on our own PATH. The PATH of the server could name another one, and
 * ours may have a folder of a project that the server can change.
 */
function program(name: string): string | undefined {
  const folders = [
    '/usr/bin',
    '/bin',
    '/usr/local/bin',
    ...(process.env['PATH'] ?? '').split(delimiter).filter((each) => !IN_PROJECT.test(each)),
  ];
  return folders
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** `npx` puts it before all others. */
const IN_PROJECT = /[/\\]node_modules(?:[/\\]|$)/;

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function kindOf(path: string): 'folder' | 'file' | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && (found.isDirectory() ? 'folder' : 'file');
}

/** More mounts would make each start slow. */
const MOST_ENTRIES = 2_000;

function entriesOf(folder: string): FolderEntry[] | undefined {
  try {
    const names = readdirSync(folder);
    return names.length > MOST_ENTRIES ? undefined : names.flatMap((name) => entryOf(folder, name));
  } catch {
    return undefined;
  }
}

function entryOf(folder: string, name: string): FolderEntry[] {
  const path = join(folder, name);
  try {
    return [lstatSync(path).isSymbolicLink() ? { name, link: readlinkSync(path) } : { name }];
  } catch {
    // It has gone, or it is a file system that only another user can see.
    return [];
  }
}

function closedChannel(reason: string, onClose: (reason: string) => void): Channel {
  let isClosed = false;
  setImmediate(() => {
    if (!isClosed) onClose(reason);
  });
  return {
    send: () => undefined,
    abandon: () => false,
    backlog: 0,
    close: () => {
      isClosed = true;
      return Promise.resolve();
    },
  };
}
