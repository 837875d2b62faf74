import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfig } from '@callsign/gateway/host';
import { expect, it } from 'vitest';

import { apiKey, apiKeyContract } from '../../../../test/contracts/api-key-store.js';
import type { Context } from '../command/command.js';
import { configKeys } from './config-keys.js';
import { scratch } from '../../../../test/testing/scratch.js';

const SERVERS = '"mcpServers": { "a": { "command": "node" } }';

function contextOf(text: string): Context {
  const folder = scratch();
  const file = join(folder, 'callsign.json');
  writeFileSync(file, text);
  const stderr = { log: (_level: string, message: string) => expect.fail(message) };
  return { file, env: {}, stderr } as unknown as Context;
}

apiKeyContract('API keys in the configuration', async () => {
  const context = contextOf(`{ ${SERVERS} }`);
  return { store: configKeys(context), again: async () => configKeys(context) };
});

it('keeps comments and other keys as they are written', async () => {
  const first = apiKey('ann');
  const text = `{
  // servers
  ${SERVERS},
  "callsign": {
    "auth": {
      "keys": [
        // for Ann
        { "name": "ann", "hash": "${first.hash}" } // since May
      ]
    }
  }
}
`;
  const context = contextOf(text);
  const store = configKeys(context);
  const second = apiKey('ci', { roles: ['reader'] });
  expect(await store.add(second)).toBe(true);
  const added = readFileSync(context.file, 'utf8');
  expect(added).toContain(`"${first.hash}" }, // since May\n        {\n          "name": "ci",`);
  expect(await store.remove('ci')).toBe(true);
  expect(readFileSync(context.file, 'utf8')).toBe(text);
});

it('removes the only key, and leaves a list that lets no one in', async () => {
  const context = contextOf(`{ ${SERVERS} }`);
  const store = configKeys(context);
  await store.add(apiKey('ci'));
  expect(await store.remove('ci')).toBe(true);
  const { file, env } = context;
  expect(await loadConfig(file, { env })).toMatchObject({
    ok: true,
    config: { settings: { auth: { keys: [], sharedKeys: false } } },
  });
});
