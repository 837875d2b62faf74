import { createProfileSet, DEFAULT_CLIENT_KEY } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { SELF } from '../command/version.js';

describe('a gateway behind a gateway', () => {
  // OpenAI Agents is recognised by our key and version 1.0.0. Before our version becomes 1.0.0, tell the two
  // apart.
  it('is not mistaken for a framework, and sees canonical names', () => {
    const profiles = createProfileSet({ clientKey: DEFAULT_CLIENT_KEY });
    expect(profiles.forClient(SELF).id).toBe('canonical');
    expect(profiles.forClient({ name: DEFAULT_CLIENT_KEY, version: '1.0.0' }).id).toBe('portable');
  });
});
