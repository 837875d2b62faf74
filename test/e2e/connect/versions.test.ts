/** Two builds of the command, of different versions, on one machine. */

import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { VERSION } from '../../../packages/cli/src/command/version.js';
import { BIN } from '../command.js';
import { eventually, plain } from '../gateway-process.js';
import { Person, textOf } from './person.js';

const KID = { kid: plain() };
const NEWER = '98.7.6';

/** Installs a copy of the command with another version. Returns the file that starts it. */
function newerBuild({ folder }: Person): string {
  const [from, to] = [dirname(dirname(BIN)), join(folder, 'newer')];
  cpSync(from, to, { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(to, 'node_modules'));
  let changed = 0;
  for (const name of readdirSync(join(to, 'bundle'))) {
    if (!/\.c?js$/.test(name)) continue;
    const file = join(to, 'bundle', name);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(`"${VERSION}"`)) continue;
    writeFileSync(file, text.replaceAll(`"${VERSION}"`, `"${NEWER}"`));
    changed++;
  }
  expect(changed).toBeGreaterThan(0);
  return join(to, 'bin', 'callsign.cjs');
}

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
    const bin = newerBuild(person);
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
