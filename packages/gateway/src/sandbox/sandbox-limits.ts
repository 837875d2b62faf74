/** What a sandboxed server may do, as paths and hosts of this machine. A pure function of its settings and its place. */

import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

import type { SandboxSettings } from '../config/sandbox-settings.js';

/** Where a server is started. */
export interface SandboxPlace {
  readonly home: string;
  /** The working folder of the server. */
  readonly cwd: string;
  /** What belongs to us: state, sockets and configurations. No server ever sees it. */
  readonly own: readonly string[];
  /** The folder for the private caches of this server. */
  readonly caches: string;
  /** The temporary folders of this machine. Each server gets an empty one in their place. */
  readonly temporary: readonly string[];
  /** The path without links, if it exists. */
  readonly real: (path: string) => string | undefined;
  readonly isFolder: (path: string) => boolean;
}

/** All paths are absolute and without links. */
export interface SandboxLimits {
  readonly cwd: string;
  readonly write: readonly string[];
  /** Visible although they are in a hidden or a temporary folder. */
  readonly read: readonly string[];
  readonly hide: readonly string[];
  readonly own: readonly string[];
  readonly temporary: readonly string[];
  /** Caches of its launcher: where it looks for them, and where they really are. */
  readonly caches: readonly { readonly at: string; readonly from: string }[];
  readonly network: SandboxSettings['network'];
}

/** Folders and files with secrets, in the home folder. */
const SECRET_PLACES: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.oci',
  '.password-store',
  '.pki',
  '.netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.git-credentials',
  '.vault-token',
  '.pgpass',
  '.my.cnf',
  '.terraform.d',
  '.cargo/credentials.toml',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.composer/auth.json',
  '.Xauthority',
  '.ICEauthority',
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/git/credentials',
  '.config/op',
  '.config/containers/auth.json',
  '.config/rclone',
  '.config/sops',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.cursor',
  '.config/github-copilot',
  '.mozilla',
  '.thunderbird',
  '.config/google-chrome',
  '.config/chromium',
  '.config/vivaldi',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/opera',
  '.config/Signal',
  'snap',
  '.var/app',
  '.bash_history',
  '.zsh_history',
  '.node_repl_history',
  '.python_history',
  '.mysql_history',
  '.psql_history',
  'Library/Keychains',
  'Library/Cookies',
  'Library/Safari',
  'Library/Messages',
  'Library/Mail',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
  'Library/Application Support/BraveSoftware',
  'Library/Application Support/Microsoft Edge',
  'Library/Application Support/Arc',
  'Library/Application Support/com.apple.TCC',
];

/** Programs that download a server before they start it, and their caches in the home folder. */
const CACHES: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:npx|npm)(?:\.cmd)?$/, 'npm', '.npm'],
  [/^(?:uvx|uv)(?:\.exe)?$/, 'uv', '.cache/uv'],
];

/** Each sandbox has these folders for itself, empty at first. */
const ALWAYS_OWN = ['/tmp', '/var/tmp'];

export function sandboxLimits(
  { files, network }: SandboxSettings,
  command: readonly string[],
  place: SandboxPlace,
): SandboxLimits {
  const { home, isFolder, caches } = place;
  const real = (path: string): string => realPath(path, place.real);
  const cwd = real(place.cwd);
  const at = (written: string): string => real(expand(written, home, cwd));
  const named = typeof files === 'object' ? files : { write: [], read: [], hide: [] };
  const ownFolder = files === undefined && isFolderOfItsOwn(cwd, real(home)) ? [cwd] : [];
  const write = files === undefined ? ownFolder : named.write.map(at);
  const read = named.read.map(at);
  const shown = new Set([...write, ...read]);
  const secrets = SECRET_PLACES.map((path) => real(join(home, path)));
  const hide = [...secrets.filter((path) => !shown.has(path)), ...named.hide.map(at)];
  // A home folder below one of ALWAYS_OWN is not shown, except for what the server needs.
  const temporary = [...new Set(place.temporary.map(real))].filter(
    (path) => ALWAYS_OWN.includes(path) || (path !== '/' && !isInside(real(home), path, true)),
  );
  const inTemporary = [cwd, ...command.filter((word) => isAbsolute(word)).map(real)]
    .filter((path) => place.real(path) !== undefined)
    .map((path) => (isFolder(path) ? path : dirname(path)))
    .filter((path) => temporary.some((folder) => isInside(path, folder)));
  const launcher = basename(command[0] ?? '');
  return {
    cwd,
    write: [...new Set(write)],
    read: [...new Set([...read, ...inTemporary])].filter((path) => !write.includes(path)),
    hide: [...new Set(hide)],
    own: [...new Set(place.own.map(real))],
    temporary,
    caches: CACHES.filter(([program]) => program.test(launcher)).map(([, name, path]) => ({
      at: real(join(home, path)),
      from: join(caches, name),
    })),
    network,
  };
}

/** `~` is the home folder. Other paths begin at the working folder. */
function expand(path: string, home: string, cwd: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(cwd, path);
}

/** The path without links. What does not exist yet is added to the part that does. */
function realPath(path: string, real: SandboxPlace['real']): string {
  const found = real(path);
  if (found !== undefined) return found;
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent, real), basename(path));
}

/** Not the root, the home folder or a folder above it: a server that could change them could change every program. */
function isFolderOfItsOwn(cwd: string, home: string): boolean {
  return (
    cwd !== '/' && !isInside(home, cwd, true) && !SYSTEM.some((path) => isInside(cwd, path, true))
  );
}

const SYSTEM = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
];

/** Whether a path is below a folder, or, with `orSame`, the folder itself. */
export function isInside(path: string, folder: string, orSame = false): boolean {
  const way = relative(folder, path);
  return way === '' ? orSame : !way.startsWith('..') && !isAbsolute(way);
}

/** The limits in a few words, for people. */
export function limitsInWords({ write, network }: SandboxLimits): string {
  const files = write.length === 0 ? 'changes no files' : `may change ${write.join(', ')}`;
  const hosts =
    network === 'all'
      ? 'any network'
      : network === 'none' || network.length === 0
        ? 'no network'
        : `connects to ${network.join(', ')}`;
  return `${files}; ${hosts}`;
}
