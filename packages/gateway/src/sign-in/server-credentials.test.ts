import { describe, expect, it } from 'vitest';

import { configOf } from '../config/testing/problems-of.js';
import type { RemoteServer } from '../config/server-config.js';
import { credentialsFor } from './server-credentials.js';
import { signedIn } from './testing/signed-in.js';

describe('credentials for a configured server', () => {
  it('are those of the sign-in, unless the configuration has its own', async () => {
    const { entry, file, fetch } = await signedIn();
    const servers = {
      s: { url: entry.url, headers: { 'X-Team': 'a' } },
      own: { url: entry.url, headers: { AUTHORIZATION: 'Bearer mine' } },
    };
    const config = configOf(JSON.stringify({ mcpServers: servers }));
    const [one, own] = config.servers.map((server) =>
      credentialsFor(server as RemoteServer, { file, fetch }),
    );
    expect(await one!.headers()).toHaveProperty('authorization');
    expect(own).toBeUndefined();
  });
});
