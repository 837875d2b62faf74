import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSocket, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { serveAll } from '../../../packages/gateway/src/testing/served.js';
import { until } from '../serve/until.js';
import { quoted, sandboxed } from './sandboxed.js';
import { describeInSandbox, ordinaryFolder, SCRIPT } from './sandboxes.js';

describeInSandbox('a server in a sandbox', () => {
  it('changes its working folder and nothing else, and callers learn what was refused', async () => {
    const { run, served, home, work } = await sandboxed();
    expect(await run(`fs.writeFileSync('mine', 'x'); return fs.readFileSync('mine', 'utf8')`)).toBe(
      'x',
    );
    expect(readFileSync(join(work, 'mine'), 'utf8')).toBe('x');
    const other = join(home, 'other');
    const said = await run(`fs.writeFileSync(${quoted(other)}, 'x')`);
    expect(said).toContain('EROFS');
    expect(said).toContain(`The sandbox of server "s" refused ${other}`);
    expect(existsSync(other)).toBe(false);
    expect(served.gateway.status()[0]?.sandbox?.refused).toEqual([other]);
  });

  it('sees no secrets, not through links, /proc or another name either', async () => {
    const { run, home, work } = await sandboxed(true, (folder) => {
      symlinkSync(join(folder, '.ssh'), join(folder, 'work', 'link'));
      mkdirSync(join(folder, 'real-aws'));
      writeFileSync(join(folder, 'real-aws', 'key'), 'PRIVATE');
      symlinkSync(join(folder, 'real-aws'), join(folder, '.aws'));
    });
    const paths = [
      join(home, '.ssh', 'id'),
      join(work, 'link', 'id'),
      join(home, 'real-aws', 'key'),
      join('/proc/self/root', home, '.ssh', 'id'),
      join('/proc/1/root', home, '.ssh', 'id'),
    ];
    for (const path of paths) {
      const said = await run(`return fs.readFileSync(${quoted(path)}, 'utf8')`);
      expect(said, path).toMatch(/ENOENT|EACCES/);
    }
    // The same through io_uring, which Node uses for files if it is told to.
    const ring = await run(`
      const env = { ...process.env, UV_USE_IO_URING: '1' };
      const code = 'import("node:fs/promises").then((f) => f.readFile(process.argv[1], "utf8")).then(console.log, (e) => console.log(e.code))';
      return childProcess.execFileSync(process.execPath, ['-e', code, ${quoted(paths[0]!)}], { env }).toString()`);
    expect(ring).toMatch(/ENOENT|EACCES/);
    expect(
      await run(`fs.symlinkSync(${quoted(home)}, 'up'); fs.writeFileSync('up/out', 'x')`),
    ).toContain('EROFS');
  });

  it('neither sees nor signals other processes, and inherits no descriptors', async () => {
    const { run } = await sandboxed();
    const ids = await run(`return fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))`);
    expect(JSON.parse(ids).length).toBeLessThan(5);
    expect(await run(`process.kill(${process.pid}, 0)`)).toContain('ESRCH');
    const open = JSON.parse(
      await run(
        `return fs.readdirSync('/proc/self/fd').map((fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd) } catch { return '' } })`,
      ),
    ) as string[];
    expect(
      open.filter(
        (path) => path.startsWith('/') && !path.startsWith('/dev/') && !path.startsWith('/proc/'),
      ),
    ).toEqual([]);
    expect(
      await run(
        `return fs.existsSync('/proc/1/environ') ? fs.readFileSync('/proc/1/environ', 'utf8') : ''`,
      ),
    ).not.toContain('CALLSIGN_TEST');
  });

  it('reaches neither the state of the gateway nor its sockets', async () => {
    const reached: string[] = [];
    const { run, state } = await sandboxed();
    const folder = join(state, 'callsign', 'run');
    for (const name of [`${process.pid}.sock`, 'own.gw']) {
      const server = createSocket((socket) => {
        reached.push(name);
        socket.end();
      }).listen(join(folder, name));
      onTestFinished(() => void server.close());
    }
    for (const name of readdirSync(folder)) {
      const said = await run(
        `return new Promise((resolve, reject) => net.connect(${quoted(join(folder, name))}, () => resolve('connected')).on('error', reject))`,
      );
      expect(said).toMatch(/ENOENT|EACCES|ECONNREFUSED/);
    }
    expect(await run(`return fs.readdirSync(${quoted(join(state, 'callsign'))})`)).toMatch(
      /EACCES|ENOENT|^\[\]/,
    );
    expect(reached).toEqual([]);
  });

  it('has shared memory, temporary files and sockets of its own', async () => {
    const { run } = await sandboxed({ files: 'read-only', network: 'none' });
    const name = `callsign-${process.pid}-${Date.now()}`;
    for (const folder of ['/dev/shm', '/tmp', '/var/tmp']) {
      expect(
        await run(`fs.writeFileSync(${quoted(join(folder, name))}, 'x'); return 'written'`),
      ).toBe('written');
      expect(existsSync(join(folder, name))).toBe(false);
    }
    // An abstract socket belongs to a network, not to a file system.
    const server = createSocket(() => undefined).listen(`\0${name}`);
    onTestFinished(() => void server.close());
    const said = await run(
      `return new Promise((resolve, reject) => net.connect('\\0${name}', () => resolve('connected')).on('error', reject))`,
    );
    expect(said).toContain('ECONNREFUSED');
    expect(await run(`fs.writeFileSync('mine', 'x')`)).toContain('EROFS');
  });

  it('cannot get more rights, mount or leave its name spaces', async () => {
    const { run, home } = await sandboxed({ files: 'read-only', network: 'none' });
    const tries = [
      ['mount', '-o', 'remount,rw', '/'],
      ['umount', join(home, '.ssh')],
      [
        'unshare',
        '--user',
        '--map-root-user',
        '--mount',
        'sh',
        '-c',
        `umount ${join(home, '.ssh')} && cat ${join(home, '.ssh', 'id')}`,
      ],
      [
        'unshare',
        '--user',
        '--map-root-user',
        '--mount',
        'sh',
        '-c',
        `mount -o remount,rw,bind / && touch ${join(home, 'out')}`,
      ],
      ['nsenter', '--target', '1', '--net', 'true'],
      ['mknod', '/tmp/disk', 'b', '8', '0'],
    ];
    for (const [program, ...args] of tries) {
      const said = await run(
        `const { status } = childProcess.spawnSync(${quoted(program!)}, ${JSON.stringify(args)}); return status === 0 ? 'succeeded' : 'refused'`,
      );
      const isHarmless = program === 'nsenter';
      if (!isHarmless) expect(said, args.join(' ')).toBe('refused');
    }
    expect(existsSync(join(home, 'out'))).toBe(false);
    expect(
      await run(
        `return fs.readFileSync('/proc/self/status', 'utf8').match(/CapEff:\\s*(\\w+)/)[1]`,
      ),
    ).toMatch(/^0+$/);
    expect(
      await run(
        `return fs.readFileSync('/proc/self/status', 'utf8').match(/NoNewPrivs:\\s*(\\w+)/)[1]`,
      ),
    ).toBe('1');
  });

  it('leaves no helper behind', async () => {
    const { run, served, work } = await sandboxed();
    const beat = join(work, 'beat');
    await run(
      `childProcess.spawn('sh', ['-c', 'while true; do date +%N > "$0"; sleep 0.05; done', ${quoted(beat)}], { detached: true, stdio: 'ignore' }).unref(); return ''`,
    );
    await until(() => existsSync(beat));
    await served.gateway.stop();
    const last = readFileSync(beat, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(readFileSync(beat, 'utf8')).toBe(last);
  });
});

/** A server that says which host it was asked for. */
async function site(): Promise<number> {
  const server: Server = createServer((request, response) =>
    response.end(`host ${request.headers.host}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describeInSandbox('a server that may reach some hosts', () => {
  it('reaches them with fetch, http and programs that read the variables, and no others', async () => {
    const [port, other] = [await site(), await site()];
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, 'rebinding.localhost:80'];
    const { run, served } = await sandboxed({ files: 'read-only', network: hosts });
    const direct = await run(
      `return new Promise((resolve, reject) => net.connect(${port}, '127.0.0.1', () => resolve('connected')).on('error', reject))`,
    );
    expect(direct).toContain('ECONNREFUSED');
    const curl = (at: string): string =>
      `return childProcess.execFileSync('curl', ['-sS', '--noproxy', '', '-x', process.env.HTTP_PROXY, ${quoted(at)}]).toString()`;
    expect(await run(curl(`http://127.0.0.1:${port}/`))).toBe(`host 127.0.0.1:${port}`);
    expect(await run(curl(`http://127.0.0.1:${other}/`))).toContain(
      `the sandbox refuses 127.0.0.1:${other}`,
    );
    expect(await run(`return (await fetch('http://not.example:81/')).text()`)).toContain(
      'the sandbox refuses not.example:81',
    );
    const refused = await run(
      `return new Promise((resolve, reject) => https.get('https://not.example/', resolve).on('error', reject))`,
    );
    expect(refused).toContain('the sandbox refuses not.example:443');
    expect(refused).toContain('The sandbox of server "s" refused not.example:443');
    expect(served.gateway.status()[0]?.sandbox?.refused).toEqual([
      `127.0.0.1:${other}`,
      'not.example:81',
      'not.example:443',
    ]);
  });
});

describeInSandbox('a sandbox that cannot be set up', () => {
  it('keeps the server from starting', async () => {
    const folder = ordinaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const served = await serveAll(
      { s: { command: process.execPath, args: [SCRIPT], cwd: folder } },
      {
        servers: { s: { sandbox: { files: { write: ['file/inside'] } } } },
        restart: { giveUpAfter: 0 },
      },
      { env: { ...process.env, HOME: folder, XDG_STATE_HOME: join(folder, 'state') } },
    );
    const { state } = served.gateway.status()[0]!;
    expect('reason' in state && state.reason).toContain('its sandbox cannot be set up');
  });
});
