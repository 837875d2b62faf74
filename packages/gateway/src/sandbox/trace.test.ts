import { describe, expect, it } from 'vitest';

import {
  contradictedClaims,
  effectOf,
  isEmpty,
  observationInWords,
  observedDeeds,
} from './observation.js';
import { deedsIn } from './trace.js';

const START = [
  '10 1.000000 execve("/usr/bin/bwrap", ["bwrap"], 0x7ff /* 3 vars */) = 0',
  '10 1.100000 openat(AT_FDCWD</>, "/newroot/x", O_WRONLY|O_CREAT, 0600) = 3</x>',
  '12 1.200000 execve("/usr/bin/node", ["node", "s.mjs"], 0x7ff /* 3 vars */) = 0',
];
const deeds = (...lines: string[]) => deedsIn([...START, ...lines].join('\n'), '/work').slice(0);

describe('a trace', () => {
  it('begins after the sandbox was set up', () => {
    expect(deeds()).toEqual([]);
  });

  it('shows what was changed and destroyed, with its error', () => {
    const found = deeds(
      '12 2.0 openat(AT_FDCWD</home/ada>, "notes/a", O_WRONLY|O_CREAT|O_TRUNC, 0666) = -1 EROFS (Read-only file system)',
      '12 2.1 openat(AT_FDCWD</home/ada>, "b", O_RDONLY|O_CLOEXEC) = 20</home/ada/b>',
      '12 2.2 unlink("old") = 0',
      '12 2.3 rename("/a", "/b") = 0',
      '12 2.4 mkdir("/home/ada/new", 0777) = 0',
      '12 2.5 openat(AT_FDCWD</home/ada>, "caf\\303\\251", O_RDWR) = 3</x>',
    );
    expect(found.map(({ kind, what, error }) => [kind, what, error])).toEqual([
      ['changes', '/home/ada/notes/a', 'EROFS'],
      ['sees', '/home/ada/b', undefined],
      ['destroys', '/work/old', undefined],
      ['destroys', '/a', undefined],
      ['changes', '/home/ada/new', undefined],
      ['changes', '/home/ada/café', undefined],
    ]);
  });

  it('joins calls that another process interrupted', () => {
    const found = deeds(
      '12 2.0 unlink("/a" <unfinished ...>',
      '13 2.1 unlink("/b") = 0',
      '12 2.2 <... unlink resumed>) = 0',
    );
    expect(found.map(({ what }) => what)).toEqual(['/b', '/a']);
  });

  it('shows programs, addresses and names', () => {
    const found = deeds(
      '12 2.0 execve("/usr/bin/git", ["git", "log"], 0x7ff /* 3 vars */) = 0',
      '12 2.1 connect(20<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 ENETUNREACH (Network is unreachable)',
      '12 2.2 connect(20<UDP:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
      '12 2.3 sendto(20<UDP:[1]>, "\\1\\2\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\3api\\7example\\3com\\0\\0\\1\\0\\1", 33, MSG_NOSIGNAL, NULL, 0) = 33',
    );
    expect(found.map(({ kind, what }) => [kind, what])).toEqual([
      ['runs', 'git log'],
      ['connects', '192.0.2.1:443'],
      ['asks', 'api.example.com'],
    ]);
  });

  it('is read as far as it can be', () => {
    expect(deeds('nonsense', '12 2.0 open(', '12 2.0 unlink("\\', '')).toEqual([]);
  });
});

describe('an observation', () => {
  it('counts what happened during the call, without logs, caches and temporary files', () => {
    const found = deeds(
      '12 2.0 unlink("/before") = 0',
      '12 5.0 openat(AT_FDCWD</w>, "/home/ada/.cache/x/y", O_WRONLY|O_CREAT) = 3',
      '12 5.0 openat(AT_FDCWD</w>, "/tmp/y", O_WRONLY|O_CREAT) = 3',
      '12 5.0 openat(AT_FDCWD</w>, "server.log", O_WRONLY|O_APPEND) = 3',
      '12 5.0 unlink("/missing") = -1 ENOENT (No such file or directory)',
      '12 5.0 execve("/bin/git", ["git"], 0x1) = -1 ENOENT (No such file or directory)',
    );
    const seen = observedDeeds(found, 4, 6);
    expect(isEmpty(seen)).toBe(true);
    expect(effectOf(seen)).toBeUndefined();
    expect(observationInWords(seen)).toBe('nothing observed');
  });

  it('contradicts claims, and only those that it refutes', () => {
    const lines = [
      '12 5.0 openat(AT_FDCWD</w>, "n", O_WRONLY|O_CREAT) = -1 EROFS (x)',
      '12 5.1 unlink("/home/ada/a") = 0',
    ];
    const seen = observedDeeds(deeds(...lines), 4, 6);
    expect(contradictedClaims({ readOnlyHint: true }, seen)).toEqual([
      'It claims to be read-only, but it tried to write /w/n when it was observed.',
    ]);
    expect(contradictedClaims({ destructiveHint: false }, seen)).toEqual([
      'It claims to destroy nothing, but it tried to delete or replace /home/ada/a when it was observed.',
    ]);
    expect(contradictedClaims({ openWorldHint: false }, seen)).toEqual([]);
    expect(contradictedClaims({ readOnlyHint: false }, seen)).toEqual([]);
  });
});
