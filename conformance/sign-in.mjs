// The scenarios for OAuth: Callsign as a client of protected servers, and the gateway's own authorization server.
import { join } from 'node:path';

import { freePort } from '../scripts/free-port.mjs';
import { sayYes } from '../scripts/say-yes.mjs';
import { startSignInGateway } from './gateway.mjs';
import { authScenarios, runAuthorization, runClient } from './suite.mjs';

/** For servers of this version, which has no list of required scenarios. */
const OLDEST = {
  version: '2025-03-26',
  names: ['auth/2025-03-26-oauth-metadata-backcompat', 'auth/2025-03-26-oauth-endpoint-fallback'],
};

/** A run in the form of those for servers. */
export async function runSignIns(suite, versions, scratch) {
  const runs = [
    await runClients(
      OLDEST.version,
      OLDEST.names.map((name) => ({ name })),
    ),
  ];
  for (const version of versions) {
    const all = await authScenarios(suite, version);
    // Extensions belong to no version, so once is enough.
    const isLast = version === versions.at(-1);
    runs.push(
      await runClients(
        version,
        all.filter(({ isExtra }) => isLast || !isExtra),
      ),
    );
  }
  return runs;

  async function runClients(version, wanted) {
    const scenarios = [];
    for (const { name, isExtra = false } of wanted) {
      const into = join(scratch, 'clients', version);
      const of = isExtra ? {} : { version };
      const done = await runClient(suite, { name, into, ...of });
      process.stdout.write(
        `${version} ${name}: ${done.isExpected ? 'as expected' : 'not as expected'}\n`,
      );
      scenarios.push(done);
    }
    const required = new Set(wanted.filter(({ isExtra }) => !isExtra).map(({ name }) => name));
    return { config: 'client', version, scenarios, required };
  }
}

/** The scenarios for authorization servers, with a person who says yes on our pages. */
export async function runOwnAuthorization(suite, scratch) {
  const port = await freePort();
  const client = {
    id: 'suite',
    name: 'Suite',
    redirectUris: [`http://127.0.0.1:${port}/callback`],
  };
  const gateway = await startSignInGateway(client, scratch);
  try {
    const scenarios = await runAuthorization(suite, {
      origin: gateway.origin,
      clientId: client.id,
      port,
      into: join(scratch, 'authorization'),
      onPage: async (page) => void (await fetch(await sayYes(page, gateway.key))),
    });
    const required = new Set(scenarios.map(({ name }) => name));
    return { config: 'sign-in', version: 'authorization servers', scenarios, required };
  } finally {
    await gateway.stop();
  }
}
