/** The gateway under systemd. Fake programs stand for systemd, since few test machines have one for each user. */

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { eventually, plain } from '../gateway-process.js';
import { kill, Person, pidOf } from './person.js';

const KID = { kid: plain() };

/** Writes a program that notes its arguments. Returns its folder and what it has noted. */
function fake(person: Person, name: string, script = ''): { PATH: string; noted: () => string } {
  const notes = join(person.folder, `${name}.txt`);
  const text = `#!/bin/sh\necho "$*" >> '${notes}'\n${script}\n`;
  chmodSync(person.write(`bin/${name}`, text), 0o755);
  return {
    PATH: `${join(person.folder, 'bin')}:${process.env['PATH']}`,
    noted: () => (existsSync(notes) ? readFileSync(notes, 'utf8') : ''),
  };
}

describe.skipIf(process.platform !== 'linux')('callsign service', () => {
  it('says that there is no systemd, and writes nothing', async () => {
    const person = new Person(KID);
    const unit = join(person.folder, '.config/systemd/user/callsign.service');
    const env = { PATH: join(person.folder, 'nothing') };
    const ended = await person.run(['service', 'install', '--config', person.config], { env });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('There is no systemd here');
    expect(existsSync(unit)).toBe(false);
  });

  it('says how to start the service if systemd cannot be reached', async () => {
    const person = new Person(KID);
    const { PATH } = fake(person, 'systemctl', '[ "$1" = --version ]');
    const args = ['service', 'install', '--config', person.config];
    const { code, stderr } = await person.run(args, { env: { PATH } });
    expect(code).toBe(0);
    expect(stderr).toContain('could not be reached');
    expect(stderr).toContain('systemctl --user enable --now callsign');
  });

  it('writes a unit that clients use, after it has stopped the gateway that ran', async () => {
    const person = new Person(KID);
    const { client } = await person.connect();
    await client.tools();
    const [before] = person.gateways();
    const { PATH, noted } = fake(person, 'systemctl');
    const args = ['service', 'install', '--config', person.config];
    const { stderr } = await person.run(args, { env: { PATH } });
    const unit = join(person.folder, '.config/systemd/user/callsign.service');
    expect(stderr).toContain(`The service runs: ${unit}`);
    expect(noted()).toContain('--user enable --now callsign');
    expect(person.gateways()).not.toContain(before);

    // Otherwise the service would have another state folder than the clients.
    expect(readFileSync(unit, 'utf8')).toContain(
      `Environment="XDG_STATE_HOME=${person.env()['XDG_STATE_HOME']}"`,
    );

    const line = /^ExecStart=(.*)$/m.exec(readFileSync(unit, 'utf8'))![1]!;
    const words = Array.from(line.matchAll(/"([^"]*)"/g), ([, word]) => word!);
    const service = spawn(words[0]!, words.slice(1), { cwd: '/', env: person.env() });
    onTestFinished(() => void service.kill('SIGKILL'));
    await eventually(() => existsSync(person.shared.address));
    expect(await pidOf(client, 'kid:pid')).toBeGreaterThan(1);
    expect(person.gateways()).toEqual([service.pid]);

    const removed = await person.run(['service', 'uninstall'], { env: { PATH } });
    expect(removed.stderr).toContain(`Removed ${unit}`);
    expect(existsSync(unit)).toBe(false);
  });
});

describe.skipIf(process.platform !== 'linux')('a gateway on a machine with systemd', () => {
  it('runs outside of the scope of its client, and no value is in a command line', async () => {
    const person = new Person({ kid: { ...plain(), env: { TOKEN: '${MY_TOKEN}' } } });
    // As systemd does, it starts the program as no child of the client.
    const start =
      'while [ "$1" != -- ]; do shift; done; shift; setsid "$@" </dev/null >/dev/null 2>&1 &';
    const { PATH, noted } = fake(person, 'systemd-run', start);
    fake(person, 'systemctl');
    person.write('run/systemd/private', '');
    const MY_TOKEN = 'value-of-a-secret';
    const env = { PATH, MY_TOKEN, XDG_RUNTIME_DIR: join(person.folder, 'run') };
    const { client } = await person.connect({ env });
    const seen = JSON.stringify(await client.result('kid:env'));
    expect(seen).toContain(MY_TOKEN);
    expect(noted()).toMatch(
      /^--user --quiet --collect --unit=callsign-\S+\.service .*--setenv=HOME /,
    );
    expect(noted()).toContain('serve --background --config');
    expect(noted()).not.toContain(MY_TOKEN);
    for (const pid of person.gateways()) kill(pid, 'SIGKILL');
    await eventually(() => client.count('notifications/tools/list_changed') > 0);
    expect(await client.tools()).toContain('kid:add');
  });
});
