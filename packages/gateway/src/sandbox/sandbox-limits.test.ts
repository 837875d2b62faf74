import { describe, expect, it } from 'vitest';

import { sandboxOf, type SandboxSetting } from '../config/sandbox-settings.js';
import { bubblewrapArguments, type FolderEntry } from './bubblewrap.js';
import { limitsInWords, sandboxLimits, type SandboxLimits } from './sandbox-limits.js';
import { seatbeltProfile } from './seatbelt.js';

const FOLDERS = new Set([
  '/home/ada',
  '/home/ada/.ssh',
  '/home/ada/.aws',
  '/home/ada/work',
  '/data/keys',
  '/state',
]);
const LINKS = new Map([['/home/ada/.gnupg', '/data/keys']]);

function limits(
  setting: SandboxSetting,
  { cwd = '/home/ada/work', command = ['node', 'server.mjs'] } = {},
): SandboxLimits {
  return sandboxLimits(sandboxOf(setting)!, command, {
    home: '/home/ada',
    cwd,
    own: ['/state'],
    caches: '/state/sandboxes/x',
    temporary: ['/tmp'],
    real: (path) =>
      LINKS.get(path) ?? (FOLDERS.has(path) || path.startsWith('/tmp/') ? path : undefined),
    isFolder: (path) => FOLDERS.has(path),
  });
}

const kind = (path: string): 'folder' | 'file' | undefined =>
  FOLDERS.has(path) || path === '/home'
    ? 'folder'
    : path === '/home/ada/.netrc'
      ? 'file'
      : undefined;

const entries = (folder: string): FolderEntry[] | undefined =>
  folder === '/home/ada'
    ? [{ name: 'work' }, { name: '.netrc' }, { name: 'docs', link: 'work/docs' }]
    : undefined;

/** The words of a mount, as one text, in the order of the command line. */
const lineOf = (
  setting: SandboxSetting,
  variables: Readonly<Record<string, string>> = {},
): string => bubblewrapArguments(limits(setting), { kind, entries }, { variables }).join(' ');

describe('the limits of a sandbox', () => {
  it('are the working folder by default, unless others would be in it', () => {
    expect(limits(true).write).toEqual(['/home/ada/work']);
    for (const cwd of ['/', '/home', '/home/ada', '/usr/lib/x', '/etc']) {
      expect(limits(true, { cwd }).write, cwd).toEqual([]);
    }
    expect(limits({ files: 'read-only', network: 'all' }).write).toEqual([]);
  });

  it('begin paths at home or at the working folder', () => {
    const files = { write: ['~/notes', 'data', '/srv'], read: [], hide: ['~'] };
    const { write, hide } = limits({ files, network: 'all' });
    expect(write).toEqual(['/home/ada/notes', '/home/ada/work/data', '/srv']);
    expect(hide).toContain('/home/ada');
  });

  it('hide secrets where they really are, unless they are named', () => {
    expect(limits(true).hide).toEqual(expect.arrayContaining(['/home/ada/.ssh', '/data/keys']));
    const { hide, read } = limits({
      files: { write: [], read: ['~/.aws'], hide: [] },
      network: 'all',
    });
    expect(hide).not.toContain('/home/ada/.aws');
    expect(hide).toContain('/home/ada/.ssh');
    expect(read).toEqual(['/home/ada/.aws']);
  });

  it('keep the files of a server in a temporary folder readable', () => {
    expect(limits(true, { command: ['node', '/tmp/x/server.mjs'] }).read).toEqual(['/tmp/x']);
    expect(limits(true, { command: ['node', '/srv/server.mjs'] }).read).toEqual([]);
  });

  it('give launchers a cache of their own', () => {
    expect(limits(true, { command: ['npx', '-y', 'x'] }).caches).toEqual([
      { at: '/home/ada/.npm', from: '/state/sandboxes/x/npm' },
    ]);
    expect(limits(true).caches).toEqual([]);
  });

  it('are said in a few words', () => {
    expect(limitsInWords(limits(true))).toBe('may change /home/ada/work; any network');
    expect(limitsInWords(limits({ files: 'read-only', network: ['a.example:443'] }))).toBe(
      'changes no files; connects to a.example:443',
    );
  });
});

describe('the command line of bubblewrap', () => {
  it('mounts folders before what is in them, and our own places last', () => {
    const files = { write: ['~/work', '/state'], read: [], hide: [] };
    const line = lineOf({ files, network: 'all' });
    expect(line.indexOf('--ro-bind / /')).toBeLessThan(line.indexOf('--tmpfs /tmp'));
    expect(line.indexOf('--bind /state /state')).toBeLessThan(
      line.indexOf('--perms 0111 --tmpfs /state'),
    );
    expect(line).toContain('--remount-ro /home/ada/.ssh');
    expect(line).toContain('--ro-bind /dev/null /home/ada/.netrc');
    expect(line).toContain('--cap-drop ALL');
    expect(line).toMatch(/--chdir \/home\/ada\/work --$/);
  });

  it('puts the folder of a hidden file together, so that a new file in its place stays hidden', () => {
    const line = lineOf(true);
    const parts = [
      ' --tmpfs /home/ada ',
      '--ro-bind-try /home/ada/work /home/ada/work',
      '--symlink work/docs /home/ada/docs',
      '--ro-bind /dev/null /home/ada/.netrc',
      ' --bind /home/ada/work /home/ada/work',
      '--remount-ro /home/ada ',
    ];
    const places = parts.map((part) => line.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  it('keeps a server from moving a hidden path away in a folder that it may change', () => {
    const files = { write: ['/home'], read: [], hide: [] };
    const line = lineOf({ files, network: 'all' });
    expect(line.indexOf('--bind /home /home')).toBeLessThan(
      line.indexOf('--bind /home/ada /home/ada'),
    );
    expect(line).not.toContain(' --tmpfs /home/ada ');
  });

  it('mounts its own /proc after a root that may be changed', () => {
    const files = { write: ['/'], read: [], hide: [] };
    const root = new Set([...FOLDERS, '/']);
    const line = bubblewrapArguments(limits({ files, network: 'all' }), {
      kind: (path) => (root.has(path) ? 'folder' : undefined),
      entries,
    }).join(' ');
    expect(line.indexOf('--bind / /')).toBeGreaterThan(0);
    expect(line.indexOf('--bind / /', line.indexOf('--ro-bind / /') + 5)).toBeLessThan(
      line.indexOf('--proc /proc'),
    );
    expect(line.indexOf('--proc /proc')).toBeLessThan(line.indexOf('--ro-bind-try /proc/sys'));
  });

  it('hides what a shown temporary folder holds', () => {
    const folders = new Set([...FOLDERS, '/tmp/x', '/tmp/x/keys', '/tmp/y']);
    const files = { write: [], read: ['/tmp/x'], hide: ['/tmp/x/keys', '/tmp/y'] };
    const line = bubblewrapArguments(limits({ files, network: 'all' }), {
      kind: (path) => (folders.has(path) ? 'folder' : undefined),
      entries,
    }).join(' ');
    expect(line).toContain('--perms 0111 --tmpfs /tmp/x/keys');
    expect(line).not.toContain('/tmp/y');
  });

  it('gives variables of the loader to the server alone', () => {
    expect(lineOf(true, { LD_LIBRARY_PATH: '/home/ada/work' })).toMatch(
      /--setenv LD_LIBRARY_PATH \/home\/ada\/work --chdir \/home\/ada\/work --$/,
    );
  });

  it('has a network of its own unless all is allowed', () => {
    expect(lineOf(true)).not.toContain('--unshare-net');
    expect(lineOf({ network: 'none' })).toContain('--unshare-net');
    expect(lineOf({ network: [] })).toContain('--unshare-net');
  });
});

describe('the profile of sandbox-exec', () => {
  it('denies writes, then allows the folders, and hides secrets and our own places', () => {
    const lines = seatbeltProfile(
      limits({ files: { write: ['~/work'], read: [], hide: [] }, network: 'none' }),
    ).split('\n');
    const at = (text: string): number => lines.findIndex((line) => line.startsWith(text));
    expect(at('(deny file-write*)')).toBeLessThan(
      at('(allow file-write* (subpath "/home/ada/work")'),
    );
    expect(at('(deny file-read* file-write* (subpath "/home/ada/.ssh")')).toBeGreaterThan(0);
    expect(at('(deny file-read* file-write* (subpath "/state"))')).toBeGreaterThan(
      at('(allow file-read* file-write* (subpath "/home/ada/work"))'),
    );
    expect(lines).toContain('(deny network*)');
  });

  it('cannot be left by a path with quotes', () => {
    const files = { write: ['/a") (allow default) ("'], read: [], hide: [] };
    expect(seatbeltProfile(limits({ files, network: 'all' }))).toContain(
      '"/a\\") (allow default) (\\""',
    );
  });
});
