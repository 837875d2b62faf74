import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { loadConfig } from '../config/load-config.js';
import { type Keychain, NoKeychain, systemKeychain } from './keychain.js';
import { readSecretFile } from './secret-file.js';
import { SecretStore } from './secret-store.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callsign-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

const VALUE = 'tok-4f9Kp2';

function fakeKeychain(): Keychain & { readonly has: Map<string, string> } {
  const has = new Map<string, string>();
  return {
    has,
    get: async (name) => has.get(name),
    set: async (name, value) => void has.set(name, value),
    remove: async (name) => void has.delete(name),
  };
}

const none = (): Promise<Keychain> => Promise.reject(new NoKeychain('it is locked'));
const content = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('a store of secrets', () => {
  it('has them in the keychain, and only their names in its own file', async () => {
    const keychain = fakeKeychain();
    const store = new SecretStore(folder, async () => keychain);
    expect(await store.set('github', VALUE)).toEqual({ in: 'keychain' });
    expect(keychain.has).toEqual(new Map([['github', VALUE]]));
    expect(content('secrets.json')).not.toContain(VALUE);
    expect(await store.list()).toEqual([{ name: 'github', in: 'keychain' }]);
    expect(await store.get('github')).toEqual({ value: VALUE });
    expect(await store.remove('github')).toBe(true);
    expect([keychain.has.size, await store.list()]).toEqual([0, []]);
    expect(await store.remove('github')).toBe(false);
  });

  it('finds what another program put into the keychain', async () => {
    const keychain = fakeKeychain();
    await keychain.set('theirs', VALUE);
    const store = new SecretStore(folder, async () => keychain);
    expect(await store.get('theirs')).toEqual({ value: VALUE });
    expect(await store.get('nobodys')).toEqual({ fault: 'is not stored' });
  });

  it('seals them in a file without a keychain, and says why', async () => {
    const store = new SecretStore(folder, none);
    const stored = await store.set('github', VALUE);
    expect(stored).toEqual({ in: 'file', file: store.file, reason: 'it is locked' });
    expect(await new SecretStore(folder, none).get('github')).toEqual({ value: VALUE });
    for (const name of ['secrets.json', 'secrets.key']) {
      expect(content(name)).not.toContain(VALUE);
      if (process.platform !== 'win32') {
        expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      }
    }
    expect(await store.get('other')).toEqual({ fault: 'is not stored here: it is locked' });
  });

  it('opens a sealed secret under its own name only, and not after a change', async () => {
    const store = new SecretStore(folder, none);
    await store.set('a', VALUE);
    writeFileSync(store.file, content('secrets.json').replace('"a"', '"b"'));
    expect(await store.get('b')).toMatchObject({ fault: expect.stringContaining('cannot open') });
    writeFileSync(store.file, '{"secrets": 1}');
    expect(await store.get('a')).toMatchObject({ fault: expect.stringContaining('is damaged') });
  });

  it('moves a secret to the keychain as soon as there is one', async () => {
    await new SecretStore(folder, none).set('a', VALUE);
    const keychain = fakeKeychain();
    const store = new SecretStore(folder, async () => keychain);
    await store.set('a', `${VALUE}2`);
    expect(await store.get('a')).toEqual({ value: `${VALUE}2` });
    expect(content('secrets.json')).not.toContain('sealed');
  });

  it('loses nothing when several processes store at the same time', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `n${i}`);
    await Promise.all(names.map((name) => new SecretStore(folder, none).set(name, name)));
    const store = new SecretStore(folder, none);
    const read = await Promise.all(names.map((name) => store.get(name)));
    expect(read).toEqual(names.map((value) => ({ value })));
  });

  it('has no keychain if it is switched off', async () => {
    await expect(systemKeychain({ CALLSIGN_KEYCHAIN: 'off' })).rejects.toThrow(NoKeychain);
  });
});

describe.skipIf(process.platform === 'win32')('a file with a secret', () => {
  const write = (text: string | Buffer, mode: number): string => {
    const file = join(folder, 'token');
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };

  it.each([
    [`${VALUE}\n`, VALUE],
    [`${VALUE}\r\n`, VALUE],
    [`${VALUE}\n\n`, `${VALUE}\n`],
    [VALUE, VALUE],
  ])('%j is read without its last line end', async (text, value) => {
    expect(await readSecretFile(write(text, 0o600))).toEqual({ value });
    expect(await readSecretFile(write(text, 0o400))).toEqual({ value });
  });

  it.each([0o640, 0o604, 0o660, 0o601])('is refused with mode %o', async (mode) => {
    const fault = 'can be read or written by others';
    expect(await readSecretFile(write(VALUE, mode))).toEqual({ fault });
  });

  it('is refused if it is no file, empty, too large, not text or missing', async () => {
    const faultOf = async (file: string): Promise<unknown> => await readSecretFile(file);
    expect(await faultOf(folder)).toEqual({ fault: 'is not a regular file' });
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', ['-m', '600', pipe]);
    expect(await faultOf(pipe)).toEqual({ fault: 'is not a regular file' });
    expect(await faultOf(join(folder, 'none'))).toEqual({ fault: 'does not exist' });
    expect(await faultOf(write('\n', 0o600))).toEqual({ fault: 'is empty' });
    expect(await faultOf(write('x'.repeat(70_000), 0o600))).toEqual({
      fault: 'is larger than 64 KB',
    });
    expect(await faultOf(write(Buffer.from([0xff, 0xfe]), 0o600))).toEqual({
      fault: 'is not UTF-8 text',
    });
  });

  it('counts as the file that a link leads to', async () => {
    const file = write(VALUE, 0o644);
    const link = join(folder, 'link');
    symlinkSync(file, link);
    expect(await readSecretFile(link)).toHaveProperty('fault');
    chmodSync(file, 0o600);
    expect(await readSecretFile(link)).toEqual({ value: VALUE });
  });
});

describe('a configuration that names secrets', () => {
  const env = (): Record<string, string> => ({
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    CALLSIGN_KEYCHAIN: 'off',
  });
  const configured = (variable: string): string => {
    const file = join(folder, 'callsign.json');
    const server = { command: 'server', env: { TOKEN: variable } };
    const plain = { command: 'plain' };
    writeFileSync(file, JSON.stringify({ mcpServers: { server, plain } }));
    return file;
  };

  it.skipIf(process.platform === 'win32')('reads files beside it', async () => {
    mkdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys', 'a b'), `$\{HOME} ${VALUE}`, { mode: 0o600 });
    const loaded = await loadConfig(configured('${file:keys/a b}'), { env: env() });
    // A value is not expanded again.
    expect(loaded).toMatchObject({
      ok: true,
      config: { servers: [{ env: { TOKEN: `$\{HOME} ${VALUE}` } }, {}] },
    });
    const home = await loadConfig(configured('${file:~/keys/a b}'), { env: env() });
    expect(home).toMatchObject({ ok: true, warnings: [] });
  });

  it('misses one server only if a secret is missing, and says how to store it', async () => {
    const options = { env: env(), isLenient: true };
    const loaded = await loadConfig(configured('Bearer ${keychain:github}'), options);
    if (!loaded.ok) throw new Error('not loaded');
    expect(loaded.config.servers.map(({ key }) => key)).toEqual(['plain']);
    expect(loaded.warnings).toMatchObject([
      { code: 'missing-secret', advice: 'to store it: callsign secrets set github' },
    ]);
    const file = await loadConfig(configured('${file:none}'), options);
    expect(file).toMatchObject({
      warnings: [{ message: 'needs the file none, which does not exist' }],
    });
  });

  it('keeps an escaped reference as text, and refuses an incomplete one', async () => {
    const loaded = await loadConfig(configured('$${keychain:x}'), { env: env() });
    expect(loaded).toMatchObject({
      config: { servers: [{ env: { TOKEN: '${keychain:x}' } }, {}] },
    });
    const broken = await loadConfig(configured('${keychain:}'), { env: env() });
    expect(broken).toMatchObject({ ok: false, problems: [{ code: 'malformed-variable' }] });
  });
});
