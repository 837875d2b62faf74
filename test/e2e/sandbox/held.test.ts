/** Ways around a sandbox that need a program outside, an odd place, or a second start. */

import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { configured } from '../../../packages/gateway/src/testing/served.js';
import { describeUnless } from '../../testing/left-out.js';
import { Home } from '../cli/callsign.js';
import { BIN } from '../command.js';
import { CallsignProcess } from '../serve/callsign-process.js';
import { until } from '../serve/until.js';
import { faultOf, quoted, sandboxed } from './sandboxed.js';
import { describeInSandbox, ordinaryFolder, SCRIPT } from './sandboxes.js';

const read = (path: string): string => `return fs.readFileSync(${quoted(path)}, 'utf8')`;
const write = (path: string): string => `fs.writeFileSync(${quoted(path)}, 'x'); return 'written'`;

/** As editors, Git and clients write their files. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

describeInSandbox('what a sandbox hides', () => {
  it('stays hidden when another program replaces it', async () => {
    const { run: inside, home } = await sandboxed(true, (folder) => {
      writeFileSync(join(folder, '.netrc'), 'PRIVATE');
      mkdirSync(join(folder, '.config', 'git'), { recursive: true });
      writeFileSync(join(folder, '.config', 'git', 'credentials'), 'PRIVATE');
      symlinkSync('plain.txt', join(folder, 'linked.txt'));
    });
    for (const name of ['.netrc', '.config/git/credentials']) {
      const path = join(home, name);
      expect(await inside(read(path)), name).toContain('EACCES');
      replace(path, 'PRIVATE, AND NEW');
      expect(await inside(read(path)), name).toContain('EACCES');
    }
    // What else is in the same folder is still there.
    expect(await inside(read(join(home, 'plain.txt')))).toBe('plain');
    expect(await inside(read(join(home, 'linked.txt')))).toBe('plain');
    expect(await inside(write(join(home, 'more.txt')))).toContain('EROFS');
    expect(await inside(write('here.txt'))).toBe('written');
  });

  it('cannot be moved away for the next start', async () => {
    const prepare = (folder: string): void => {
      mkdirSync(join(folder, 'work', 'a', 'b', 'keys'), { recursive: true });
      writeFileSync(join(folder, 'work', 'a', 'b', 'keys', 'id'), 'PRIVATE');
    };
    const files = { write: ['.'], hide: ['a/b/keys'] };
    const { run: inside, work } = await sandboxed({ files }, prepare);
    for (const [from, to] of [
      ['a/b/keys', 'a/b/other'],
      ['a/b', 'a/c'],
      ['a', 'c'],
    ]) {
      expect(await inside(`fs.renameSync('${from}', '${to}')`), from).toMatch(/EBUSY|EXDEV|EROFS/);
    }
    expect(await inside(read('a/b/keys/id'))).toMatch(/ENOENT|EACCES/);
    expect(await inside(write('a/b/new'))).toBe('written');
    expect(readFileSync(join(work, 'a', 'b', 'new'), 'utf8')).toBe('x');
  });

  it('is not reached by a hard link that the server makes', async () => {
    const {
      run: inside,
      home,
      work,
    } = await sandboxed(true, (folder) => {
      writeFileSync(join(folder, '.netrc'), 'PRIVATE');
    });
    for (const name of ['.netrc', '.ssh/id', 'plain.txt']) {
      const said = await inside(
        `fs.linkSync(${quoted(join(home, name))}, 'link'); return 'linked'`,
      );
      expect(said, name).toMatch(/EXDEV|ENOENT|EACCES|EPERM|EROFS/);
    }
    expect(existsSync(join(work, 'link'))).toBe(false);
  });

  it('is hidden in a home folder that is a link, and in one in a temporary folder', async () => {
    const folder = ordinaryFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'home'));
    const linked = await sandboxed(true, undefined, { home: join(folder, 'home') });
    for (const home of ['real', 'home']) {
      const path = join(folder, home, '.ssh', 'id');
      expect(await linked.run(read(path)), home).toMatch(/ENOENT|EACCES/);
    }
    expect(await linked.run(write('mine'))).toBe('written');

    const temporary = join(tmpdir(), `callsign-home-${process.pid}`);
    mkdirSync(temporary);
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
    // The home folder itself is the working folder, and so it can be seen.
    const inHome = await sandboxed(true, undefined, { home: temporary, cwd: temporary });
    expect(await inHome.run(read('plain.txt'))).toBe('plain');
    expect(await inHome.run(read('.ssh/id'))).toMatch(/ENOENT|EACCES/);
    expect(await inHome.run(write('mine'))).toContain('EROFS');
  });

  it('includes other processes, even for a server that may change everything', async () => {
    const { run: inside, home } = await sandboxed({ files: { write: ['/'] } });
    const ids = await inside(
      `return fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))`,
    );
    expect(JSON.parse(ids).length).toBeLessThan(5);
    expect(await inside(read(join(home, '.ssh', 'id')))).toMatch(/ENOENT|EACCES/);
    expect(await inside(write(join(home, 'other')))).toBe('written');
    expect(await faultOf({ files: { read: ['/proc'], write: [] } })).toContain(
      '/proc belongs to all processes',
    );
  });
});

describeInSandbox('a server in a sandbox', () => {
  it('cannot change settings of the system, not as root either', async () => {
    const { run: inside } = await sandboxed();
    // Opened for writing only: a test must change nothing if it fails.
    for (const path of ['/proc/sys/kernel/core_pattern', '/proc/sys/vm/drop_caches']) {
      expect(
        await inside(`fs.closeSync(fs.openSync('${path}', 'r+')); return 'opened'`),
        path,
      ).toMatch(/EROFS|EACCES/);
    }
    const files = await inside(
      `return fs.readdirSync('/sys/kernel').filter((name) => { try { fs.closeSync(fs.openSync('/sys/kernel/' + name, 'r+')); return true } catch { return false } })`,
    );
    expect(JSON.parse(files)).toEqual([]);
  });

  it('gains nothing from the first process of its sandbox', async () => {
    const { run: inside, home } = await sandboxed({ files: 'read-only', network: 'none' });
    const open = JSON.parse(
      await inside(
        `return fs.readdirSync('/proc/1/fd').map((fd) => { try { return fs.readlinkSync('/proc/1/fd/' + fd) } catch { return '' } })`,
      ),
    ) as string[];
    expect(open.filter((path) => path.startsWith('/') && !path.startsWith('/dev/'))).toEqual([]);
    for (const path of ['/proc/1/root', '/proc/1/cwd/..', '/proc/self/cwd/..']) {
      expect(await inside(read(join(path, home, '.ssh', 'id'))), path).toMatch(/ENOENT|EACCES/);
    }
    const status = await inside(read('/proc/1/status'));
    expect(status).toMatch(/CapEff:\s*0+\n/);
    expect(status).toMatch(/NoNewPrivs:\s*1\n/);
    // It may trace that process, but finds itself in the same name spaces as before.
    const spaces = (id: string): Promise<string> =>
      inside(
        `return ['mnt', 'user', 'pid', 'net', 'ipc'].map((name) => fs.readlinkSync('/proc/${id}/ns/' + name))`,
      );
    expect(await spaces('1')).toBe(await spaces('self'));
  });

  it('loads nothing outside that it could have changed', async () => {
    const home = ordinaryFolder();
    const work = join(home, 'work');
    mkdirSync(work);
    // Not a library: a program that loads it ends at once.
    for (const name of ['libcap.so.2', 'libselinux.so.1']) {
      writeFileSync(join(work, name), 'no library');
    }
    const entry = { env: { LD_LIBRARY_PATH: work } };
    const { run: inside } = await sandboxed(true, undefined, { home, entry });
    expect(await inside('return process.env.LD_LIBRARY_PATH')).toBe(work);
  });

  it('ends with its helpers when the gateway is killed', async () => {
    const home = ordinaryFolder();
    const config = join(home, 'callsign.json');
    const beat = join(home, 'work', 'beat');
    mkdirSync(join(home, 'work'));
    const server = { command: process.execPath, args: [SCRIPT], cwd: join(home, 'work') };
    const callsign = { servers: { s: { sandbox: true } }, listWaitMs: 60_000 };
    writeFileSync(config, JSON.stringify({ mcpServers: { s: server }, callsign }));
    const env = { HOME: home, XDG_STATE_HOME: join(home, 'state') };
    const gateway = new CallsignProcess(['serve', '--stdio', '--config', config], { env });
    await gateway.client.greet();
    const code = `childProcess.spawn('sh', ['-c', 'while true; do date +%s%N > "$0"; sleep 0.05; done', ${quoted(beat)}], { detached: true, stdio: 'ignore' }).unref(); return 'begun'`;
    const { result } = await gateway.client.call('s:run', { code });
    expect(JSON.stringify(result)).toContain('begun');
    await until(() => existsSync(beat));
    gateway.process.kill('SIGKILL');
    await gateway.exited;
    // Nothing writes the file again: it stays away for as long as many beats take.
    await until(async () => {
      rmSync(beat, { force: true });
      await new Promise((resolve) => setTimeout(resolve, 500));
      return !existsSync(beat);
    });
  });

  it('cannot poison the packages that other servers run', async () => {
    const prepare = (folder: string): void => {
      mkdirSync(join(folder, '.npm', '_npx'), { recursive: true });
      writeFileSync(join(folder, '.npm', '_npx', 'index.js'), 'good');
    };
    const home = ordinaryFolder();
    const shim = join(home, 'bin', 'npx');
    mkdirSync(join(home, 'bin'));
    writeFileSync(shim, '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    const entryOf = (...more: string[]): object => ({
      command: shim,
      args: [process.execPath, SCRIPT, ...more],
    });
    const one = await sandboxed(true, prepare, { home, entry: entryOf() });
    const path = join(home, '.npm', '_npx', 'index.js');
    expect(await one.run(`fs.mkdirSync(${quoted(join(path, '..'))}, { recursive: true })`)).toBe(
      'undefined',
    );
    expect(await one.run(write(path))).toBe('written');
    expect(readFileSync(path, 'utf8')).toBe('good');
    await one.served.gateway.stop();
    // The same server finds it again, and another command under the same key does not.
    const same = await sandboxed(true, undefined, { home, entry: entryOf() });
    expect(await same.run(read(path))).toBe('x');
    await same.served.gateway.stop();
    const other = await sandboxed(true, undefined, { home, entry: entryOf('data') });
    expect(await other.run(read(path))).toContain('ENOENT');
  });

  it('gets other limits with a reload', async () => {
    const { run: inside, served, work, home } = await sandboxed();
    expect(await inside(write('mine'))).toBe('written');
    const server = { command: process.execPath, args: [SCRIPT], cwd: work };
    const apply = (sandbox: unknown): Promise<void> =>
      served.gateway.apply(
        configured({ s: server }, { servers: { s: { sandbox } }, audit: { mode: 'off' } }),
      );
    // Until the new process is ready, the old one answers.
    await apply({ files: 'read-only' });
    await until(async () => (await inside(write('mine'))).includes('EROFS'));
    await apply({ files: { write: [home] } });
    await until(async () => (await inside(write(join(home, 'more')))) === 'written');
    expect(await inside(read(join(home, '.ssh', 'id')))).toMatch(/ENOENT|EACCES/);
  });

  it('changes a file with a second name: hard links of others are not undone', async () => {
    const { run: inside, home } = await sandboxed(true, (folder) => {
      writeFileSync(join(folder, 'shared.txt'), 'before');
      linkSync(join(folder, 'shared.txt'), join(folder, 'work', 'shared.txt'));
    });
    expect(await inside(write('shared.txt'))).toBe('written');
    expect(readFileSync(join(home, 'shared.txt'), 'utf8')).toBe('x');
  });
});

describeInSandbox('a sandbox in an odd place', () => {
  it('says which hidden folder the server needs', async () => {
    const prepare = (folder: string): void => {
      mkdirSync(join(folder, '.codex', 'servers'), { recursive: true });
      mkdirSync(join(folder, 'state', 'callsign', 'x'), { recursive: true });
    };
    const home = ordinaryFolder();
    const cwd = join(home, '.codex', 'servers');
    expect(await faultOf({ files: 'read-only' }, prepare, { home, cwd })).toContain(
      `it needs ${cwd}, but ${join(home, '.codex')} is hidden; add the folder of the server to "read", or move it`,
    );
    const own = await faultOf(true, undefined, { home, cwd: join(home, 'state', 'callsign', 'x') });
    expect(own).toContain('belongs to Callsign and is always hidden');
    const shown = await sandboxed({ files: { write: [], read: [cwd] } }, undefined, { home, cwd });
    expect(await shown.run(`return process.cwd()`)).toBe(cwd);
    expect(await shown.run(write('x'))).toContain('EROFS');
  });

  it('works with long names', async () => {
    const long = join(ordinaryFolder(), 'd'.repeat(200), 'e'.repeat(200));
    const { run: inside, work } = await sandboxed({ network: ['a.example:443'] }, undefined, {
      home: long,
      key: 'k'.repeat(400),
    });
    expect(await inside(write('f'.repeat(200)))).toBe('written');
    expect(existsSync(join(work, 'f'.repeat(200)))).toBe(true);
    const said = await inside(`return (await fetch('https://not.example/')).text()`);
    expect(said).toContain('the sandbox refuses not.example:443');
  });

  it('has its proxy in a short folder, even if the temporary folder has a long name', async () => {
    const long = join(ordinaryFolder(), 't'.repeat(120));
    mkdirSync(long);
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = long;
    onTestFinished(() => {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    });
    const { run: inside } = await sandboxed({ network: ['a.example:443'] });
    const said = await inside(`return (await fetch('https://not.example/')).text()`);
    expect(said).toContain('the sandbox refuses not.example:443');
  });
});

/** A sandbox in which no other can be set up, as on a system that forbids user namespaces. */
const FORBIDDING = ['--unshare-user', '--disable-userns', '--dev-bind', '/', '/', '--'];

const cannotForbid = (): string | undefined =>
  spawnSync('bwrap', [...FORBIDDING, 'true']).status === 0
    ? undefined
    : 'this bubblewrap cannot forbid user namespaces';

describeUnless(cannotForbid(), 'a system that forbids user namespaces', () => {
  it('keeps a server with a sandbox from starting, and says what to do', () => {
    const home = new Home();
    const cwd = ordinaryFolder();
    const server = { command: process.execPath, args: [SCRIPT], cwd };
    home.configure({ s: server }, { servers: { s: { sandbox: true } } });
    const words = [...FORBIDDING, process.execPath, BIN, 'tools', 's', '--refresh'];
    const { status, stderr } = spawnSync('bwrap', words, {
      cwd: home.work,
      env: home.env(),
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain('its sandbox cannot be set up');
    expect(stderr).toContain('kernel.unprivileged_userns_clone=1');
    expect(stderr).toContain('remove "sandbox" from its settings');
  });
});

describeInSandbox('a server of a gateway in a terminal', () => {
  it('has no terminal to type into', async () => {
    const home = new Home();
    const cwd = ordinaryFolder();
    const server = { command: process.execPath, args: [SCRIPT], cwd };
    home.configure({ s: server }, { servers: { s: { sandbox: true } } });
    const code =
      'const said = fs.readdirSync("/dev/pts"); try { fs.openSync("/dev/tty", "r+") } catch (error) { said.push(error.code) } return said.join()';
    const args = JSON.stringify({ code });
    const typed = home.terminal(['call', 's:run', '--args', `${args}`, '--yes']);
    await typed.ended;
    expect(typed.text).toMatch(/ptmx,ENXIO/);
  });
});
