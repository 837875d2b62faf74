/** `callsign reload`: a running gateway applies its changed configuration, if it is valid. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { eventually, plain, startGateway, temporaryFolder } from '../gateway-process.js';
import { Home } from './callsign.js';

describe('reload', () => {
  it('starts servers again that were given up, and only if the file can be used', async () => {
    const home = new Home();
    const isThere = join(temporaryFolder(), 'is-there');
    const { command, args = [] } = plain();
    const script = `[ -f '${isThere}' ] && exec "$0" "$@"; exit 4`;
    const late = { command: 'sh', args: ['-c', script, command, ...args] };
    const restart = { initialMs: 1, maxMs: 1, giveUpAfter: 2 };
    const config = home.configure({ late }, { restart });
    const env = { XDG_STATE_HOME: join(home.folder, 'state') };
    const gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    const is = async () =>
      ((await gateway.stateOf('late'))?.['state'] as { is?: string } | undefined)?.is;
    await eventually(async () => (await is()) === 'failed');
    writeFileSync(isThere, '');
    const good = readFileSync(config);
    writeFileSync(config, '{');
    await home.run(['reload']);
    expect(await is()).toBe('failed');
    writeFileSync(config, good);
    expect(await home.run(['reload'])).toMatchObject({ code: 0 });
    await eventually(async () => (await is()) === 'ready');
  });

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
