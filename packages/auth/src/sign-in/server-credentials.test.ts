import { describe, expect, it } from 'vitest';

import { credentialsFor } from './server-credentials.js';
import { signedIn } from './testing/signed-in.js';

describe('credentials for a configured server', () => {
  it('are those of the sign-in, unless the configuration has its own', async () => {
    const { entry, file, fetch } = await signedIn();
    const server = { ...entry, headers: { 'X-Team': 'a' } };
    const one = credentialsFor(server, { store: file, fetch });
    const own = credentialsFor(
      { ...entry, headers: { AUTHORIZATION: 'Bearer mine' } },
      { store: file, fetch },
    );
    expect(await one!.headers()).toHaveProperty('authorization');
    expect(own).toBeUndefined();
  });
});
