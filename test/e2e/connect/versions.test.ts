/** Two builds of the command, of different versions, on one machine. */

import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { eventually, plain } from '../gateway-process.js';
import { copiedBuild, upgrade } from './builds.js';
import { Person, textOf } from './person.js';

const KID = { kid: plain() };

function isOf(gateway: number, bin: string): boolean {
  return textOf(`/proc/${gateway}/cmdline`).includes(bin);
}

/** Whether the only gateway is of this build. */
function isAlone(person: Person, bin: string): boolean {
  const gateways = person.gateways();
  return gateways.length === 1 && isOf(gateways[0]!, bin);
}

describe.skipIf(process.platform !== 'linux')('an older and a newer version', () => {
  it('share the gateway of the newer one, and no client notices', async () => {
    const person = new Person(KID);
    const bin = copiedBuild(join(person.folder, 'newer'));
    upgrade(bin);
    const { client: older } = await person.connect();
    const tools = await older.tools();
    const [first] = person.gateways();
    expect(isOf(first!, bin)).toBe(false);

    const slow = older.call('kid:sleep', { ms: 2_500 });
    const { client: newer } = await person.connect({ bin });
    expect(await newer.tools()).toEqual(tools);
    expect((await slow).error).toBeUndefined();
    // The older client may start its own version once more, which then gives way as the first did.
    await eventually(() => isAlone(person, bin));
    const [second] = person.gateways();
    for (const client of [older, newer]) {
      expect(JSON.stringify(await client.result('kid:add', { a: 2, b: 3 }))).toContain('5');
    }

    // An older one that comes later uses the newer gateway.
    const { client: late } = await person.connect();
    expect(await late.tools()).toEqual(tools);
    expect((await late.call('kid:sleep', { ms: 10 })).error).toBeUndefined();
    expect(person.gateways()).toEqual([second]);
  });
});
