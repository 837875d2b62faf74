import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '../../../../test/e2e/serve/callsign-process.js';
import { ConnectedClients } from '../clients/connected-clients.js';
import { parseConfig } from '../config/parse-config.js';
import type { ServerConfig } from '../config/server-config.js';
import { serverFor } from './client-server.js';
import { KNOWN_PACKAGES, knownState } from './known-state.js';

const FILE = '/etc/callsign.json';

describe('a server for one client', () => {
  it('has the values of the client, including those that it inherits, and keeps long numbers', () => {
    const entry = { command: 'x', args: ['$MODE'], env: { TOKEN: '${TOKEN:-none}' } };
    const text = JSON.stringify(entry).replace('"TOKEN"', '"ID":12345678901234567890,"TOKEN"');
    const server = read(text, { s: { inheritEnv: ['HTTPS_PROXY'] } }, { MODE: 'm' });
    const clients = new ConnectedClients({ MODE: 'm' });
    const connection = {
      id: 'a',
      folder: '/work',
      env: { TOKEN: 'mine', HTTPS_PROXY: 'http://proxy' },
    };
    expect(serverFor(server, connection, clients, FILE)).toMatchObject({
      config: {
        args: ['m'],
        env: { TOKEN: 'mine', ID: '12345678901234567890', HTTPS_PROXY: 'http://proxy' },
      },
      differing: ['TOKEN', 'HTTPS_PROXY'],
    });
  });

  it.each([
    [['./run'], true],
    [['..'], true],
    [['--root=./src'], true],
    [['script.mjs'], true],
    [['absent.mjs'], false],
    [['-y', '@scope/package@1.0'], false],
    [['plain'], false],
  ])('with the arguments %j runs in the folder of the client: %s', (args, isInFolder) => {
    const folder = temporaryFolder();
    for (const name of ['script.mjs', 'plain']) writeFileSync(join(folder, name), '');
    const server = read(JSON.stringify({ command: 'x', args }), {});
    const own = serverFor(server, { id: 'a', folder, env: {} }, new ConnectedClients({}), FILE);
    expect('config' in own && own.config).toMatchObject(isInFolder ? { cwd: folder } : { args });
    if (!isInFolder) expect('config' in own && own.config).not.toHaveProperty('cwd');
  });
});

describe('what packages keep', () => {
  it('is known by their names, with or without a version', () => {
    const of = (command: string, ...args: string[]): string | undefined =>
      knownState(read(JSON.stringify({ command, args }), {}));
    expect(of('npx', '-y', '@playwright/mcp@latest')).toBe('a browser');
    expect(of('uvx', 'jupyter-mcp-server==1.0')).toBe('the notebook in use');
    expect(of('node', '/x/node_modules/chrome-devtools-mcp/build/index.js')).toBe('a browser');
    expect(of('npx', '@playwright/mcp-other')).toBeUndefined();
  });

  it('has a source for each', () => {
    for (const { source } of KNOWN_PACKAGES) expect(source).toMatch(/^https:\/\//);
  });
});

function read(entry: string, servers: object, env: Record<string, string> = {}): ServerConfig {
  const text = `{"mcpServers":{"s":${entry}},"callsign":${JSON.stringify({ servers })}}`;
  const parsed = parseConfig(text, { file: FILE, env });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config.servers[0]!;
}
