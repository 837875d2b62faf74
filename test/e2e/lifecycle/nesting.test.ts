import { describe, expect, it } from 'vitest';

import {
  eventually,
  gatewayEntry,
  pause,
  plain,
  startGateway,
  writeConfig,
} from '../gateway-process.js';
import { textOf } from './tool-results.js';

const RESTART = { restart: { initialMs: 50, maxMs: 100, giveUpAfter: 3 } };

describe('gateways behind gateways', () => {
  it('are reached through both by their names', async () => {
    const inner = writeConfig({ servers: { github: plain(), gitlab: plain() } }, 'nested');
    const gateway = await startGateway({
      servers: { team: gatewayEntry(inner), own: plain() },
      settings: { listWaitMs: 10_000 },
    });
    const client = await gateway.connect();
    const tools = await client.tools();
    expect(tools).toContain('team:github:add');
    expect(tools).toContain('team:gitlab:add');
    expect(textOf(await client.result('team:github:echo', { deep: true }))).toBe('{"deep":true}');
    expect((await client.call('team:github:rpc_error')).error).toMatchObject({ code: -32099 });

    const family = gateway.processes();
    gateway.endInput();
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    await eventually(() => gateway.processes().length === 0);
    expect(family.length).toBeGreaterThanOrEqual(4);
  });
});

describe('a gateway that lists itself', () => {
  it('is refused by the second one, and does not multiply', async () => {
    const mark = 'self';
    const config = writeConfig({ servers: {} }, mark);
    writeConfig(
      { servers: { self: gatewayEntry(config), fine: plain() }, settings: RESTART },
      mark,
      config,
    );
    const gateway = await startGateway({ servers: {}, config });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('fine:add');
    let most = 0;
    await eventually(() => {
      most = Math.max(most, gateway.processes().length);
      return gateway.stderr.includes('[self] gave up');
    });
    // The server, the shell that watches it, and one more gateway that is ended.
    expect(most).toBeLessThanOrEqual(4);
    await eventually(() => gateway.processes().length <= 2);
    expect((await client.tools()).every((name) => name.startsWith('fine:'))).toBe(true);
  });

  it('is refused in a circle of two gateways too', async () => {
    const mark = 'circle';
    const [first, second] = [
      writeConfig({ servers: {} }, mark),
      writeConfig({ servers: {} }, mark),
    ];
    writeConfig({ servers: { second: gatewayEntry(second) }, settings: RESTART }, mark, first);
    writeConfig(
      { servers: { first: gatewayEntry(first), fine: plain() }, settings: RESTART },
      mark,
      second,
    );
    const gateway = await startGateway({ servers: {}, config: first });
    const client = await gateway.connect();
    await eventually(async () => (await client.tools()).includes('second:fine:add'));
    let most = 0;
    // Shows that nothing happens: in this time an unchecked circle would start gateway after gateway.
    for (let n = 0; n < 20; n++) {
      most = Math.max(most, gateway.processes().length);
      await pause(50);
    }
    // The second gateway, its child, a first gateway that is refused, and two shells that watch
    // them.
    expect(most).toBeLessThanOrEqual(6);
  });
});
