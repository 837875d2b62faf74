/** Reads what strace wrote about a server: files that it tried to change, programs, and addresses. */

import { isAbsolute, join, normalize } from 'node:path';

/** One thing that a server did or tried. */
export interface Deed {
  /** When, in seconds since 1970. */
  readonly at: number;
  /** `changes`: creates or writes a file. `destroys`: deletes, renames or empties one. `sees`: opened a hidden path. */
  readonly kind: 'changes' | 'destroys' | 'sees' | 'runs' | 'connects' | 'asks' | 'hides';
  /** A path, a program with its arguments, `address:port`, or the name that a resolver was asked for. */
  readonly what: string;
  /** It made a folder, not a file. */
  readonly isFolder?: true;
  /** The error, if the system refused it, such as `EROFS`. */
  readonly error?: string;
}

/** A line: the process, the time, the call, its arguments and its result. */
const LINE = /^\d+\s+(\d+\.\d+) (\w+)\((.*)\)\s+= (-?\d+|\?)(?:<[^>]*>)?(?: (E[A-Z]+))?/;
const UNFINISHED = /^(\d+)\s+(\d+\.\d+) (.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+)\s+\d+\.\d+ <\.\.\. \w+ resumed>(.*)$/;
const TEXT = /"((?:[^"\\]|\\.)*)"(\.\.\.)?/g;
const WRITES = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/;

const CHANGES = new Set(
  'creat mkdir mkdirat link linkat symlink symlinkat chmod fchmodat chown fchownat lchown mknod mknodat setxattr'.split(
    ' ',
  ),
);
const DESTROYS = new Set('rename renameat renameat2 unlink unlinkat rmdir truncate'.split(' '));
/** Those whose second text, not the first, is the path that is made. */
const TO_SECOND = new Set('link linkat symlink symlinkat'.split(' '));

/** Everything after the sandbox itself was set up. `cwd`: where paths without a folder begin. */
export function deedsIn(text: string, cwd: string): Deed[] {
  const deeds: Deed[] = [];
  const open = new Map<string, string>();
  let hasStarted = false;
  let programs = 0;
  for (const raw of text.split('\n')) {
    const cut = UNFINISHED.exec(raw);
    if (cut) {
      open.set(cut[1]!, `${cut[1]} ${cut[2]} ${cut[3]}`);
      continue;
    }
    const rest = RESUMED.exec(raw);
    const line = rest ? `${open.get(rest[1]!) ?? ''}${rest[2]}` : raw;
    const match = LINE.exec(line);
    if (!match) continue;
    const [, at = '', call = '', args = '', , error] = match;
    if (!hasStarted) {
      // bubblewrap is the first program. What it starts is the server, or the relay for hosts.
      if (call.startsWith('execve') && error === undefined) programs += 1;
      hasStarted = programs >= 2;
      continue;
    }
    for (const deed of deedOf(call, args, cwd)) {
      deeds.push({ at: Number(at), ...deed, ...(error === undefined ? {} : { error }) });
    }
  }
  return deeds;
}

function deedOf(
  call: string,
  args: string,
  cwd: string,
): Pick<Deed, 'isFolder' | 'kind' | 'what'>[] {
  const texts = [...args.matchAll(TEXT)].map(([, text = '']) => unescaped(text));
  const path = pathIn(args, texts, TO_SECOND.has(call) ? 1 : 0, cwd);
  if (call.startsWith('execve'))
    return texts.length === 0
      ? []
      : [{ kind: 'runs', what: texts.join(' ').slice(texts[0]!.length + 1) || texts[0]! }];
  if (call === 'io_uring_setup')
    return [{ kind: 'hides', what: 'io_uring, which cannot be watched' }];
  if (call.startsWith('open')) {
    if (path === undefined) return [];
    if (!WRITES.test(args.slice(args.indexOf('"')))) return [{ kind: 'sees', what: path }];
    const isEmptied = args.includes('O_TRUNC') && !args.includes('O_CREAT');
    return [{ kind: isEmptied ? 'destroys' : 'changes', what: path }];
  }
  if (path !== undefined && call.startsWith('mkdir'))
    return [{ kind: 'changes', what: path, isFolder: true }];
  if (path !== undefined && CHANGES.has(call)) return [{ kind: 'changes', what: path }];
  if (path !== undefined && DESTROYS.has(call)) return [{ kind: 'destroys', what: path }];
  if (call === 'ftruncate') return [];
  return networkDeeds(call, args, texts);
}

/** Paths begin at a folder that strace names: `AT_FDCWD</home/ada>, "notes"`. */
function pathIn(
  args: string,
  texts: readonly string[],
  index: number,
  cwd: string,
): string | undefined {
  const path = texts[index];
  if (path === undefined) return undefined;
  if (isAbsolute(path)) return normalize(path);
  const folders = [...args.matchAll(/(?:AT_FDCWD|\d+)<([^>]*)>/g)].map(([, folder]) => folder!);
  const folder = folders[Math.min(index, folders.length - 1)];
  return normalize(join(folder !== undefined && isAbsolute(folder) ? folder : cwd, path));
}

function networkDeeds(
  call: string,
  args: string,
  texts: readonly string[],
): Pick<Deed, 'kind' | 'what'>[] {
  const port = /sin6?_port=htons\((\d+)\)/.exec(args)?.[1];
  const address =
    /inet_addr\("([^"]+)"\)/.exec(args)?.[1] ?? /inet_pton\(AF_INET6, "([^"]+)"/.exec(args)?.[1];
  if (call.startsWith('send')) {
    const names = texts.map(resolvedName).filter((name) => name !== undefined);
    return [...new Set(names)].map((what) => ({ kind: 'asks' as const, what }));
  }
  if (call !== 'connect' || port === undefined || address === undefined) return [];
  // Port 0 only asks the system for a route, and 53 is a question for an address.
  if (port === '0' || port === '53') return [];
  return [
    { kind: 'connects', what: `${address.includes(':') ? `[${address}]` : address}:${port}` },
  ];
}

/** The name in a question to a resolver: after twelve bytes, its parts with their lengths. */
function resolvedName(packet: string): string | undefined {
  const isQuestion =
    packet.length > 16 && packet.charCodeAt(5) === 1 && (packet.charCodeAt(2) & 0x80) === 0;
  if (!isQuestion) return undefined;
  const parts: string[] = [];
  for (let i = 12; i < packet.length;) {
    const length = packet.charCodeAt(i);
    if (length === 0) break;
    if (length > 63) return undefined;
    parts.push(packet.slice(i + 1, i + 1 + length));
    i += length + 1;
  }
  const name = parts.join('.');
  return /^[\w.-]+$/.test(name) && name.includes('.') ? name : undefined;
}

/** As strace writes bytes: `\n`, `\"` and up to three octal digits. Paths are UTF-8. */
function unescaped(text: string): string {
  const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' };
  const bytes = text.replaceAll(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (LETTERS[code] ?? code),
  );
  const decoded = Buffer.from(bytes, 'latin1').toString('utf8');
  // A packet is not UTF-8.
  return decoded.includes('\uFFFD') || bytes.includes('\0') ? bytes : decoded;
}
