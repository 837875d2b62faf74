/** `callsign reload`: a running gateway applies its changed configuration, if it is valid. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { eventually, plain, startGateway } from '../gateway-process.js';
import { Home } from './callsign.js';

describe('reload', () => {
  it('reaches the gateway that runs this configuration, and no other', async () => {
    const home = new Home();
    const config = home.configure({ a: plain() });
    const state = join(home.folder, 'state');
    expect(await home.run(['reload'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('No gateway runs') as string,
    });
    const env = { XDG_STATE_HOME: state };
    const gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    await eventually(async () => (await gateway.stateOf('a'))?.['tools'] !== 0);
    home.configure({ a: plain(), b: plain() });
    const { code, stdout } = await home.run(['reload', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ reloaded: [gateway.pid] });
    await eventually(async () => (await gateway.stateOf('b')) !== undefined);

    writeFileSync(config, '{');
    expect(await home.run(['reload'])).toMatchObject({ code: 6 });
  });
});
