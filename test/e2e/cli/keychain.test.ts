/** A real keychain: the Secret Service of GNOME Keyring, on a bus and with a password of its own. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { describeUnless } from '../../testing/left-out.js';
import { BIN } from '../command.js';
import { plain, temporaryFolder } from '../gateway-process.js';

const VALUE = 'tok-5hT2nXq83';
const PROGRAMS = ['dbus-run-session', 'gnome-keyring-daemon'];
const MISSING = PROGRAMS.every((program) => spawnSync(program, ['--version']).error === undefined)
  ? undefined
  : 'there is no GNOME Keyring; to install it: apt-get install dbus gnome-keyring';

/** In one session, because the keychain ends with it. Each command is ended after a minute. */
const SESSION = `
printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
callsign() { timeout 60 "$NODE" "$BIN" "$@"; }
printf %s "$VALUE" | callsign secrets set token
callsign secrets list --json | tr -d '\\n '; echo
callsign call kid:env --config "$CONFIG"
callsign secrets remove token
callsign secrets list --json | tr -d '\\n '; echo
`;

describeUnless(MISSING, 'a keychain of the system', () => {
  it('stores secrets, gives them to servers, and removes them', () => {
    const home = temporaryFolder();
    const [state, runtime, config] = ['state', 'run', 'callsign.json'].map((name) =>
      join(home, name),
    ) as [string, string, string];
    mkdirSync(runtime, { mode: 0o700 });
    const kid = { ...plain(), env: { TOKEN: '${keychain:token}' } };
    writeFileSync(config, JSON.stringify({ mcpServers: { kid } }));
    const { stdout, stderr } = spawnSync('dbus-run-session', ['--', 'bash', '-c', SESSION], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        XDG_STATE_HOME: state,
        XDG_RUNTIME_DIR: runtime,
        NODE: process.execPath,
        BIN,
        CONFIG: config,
        VALUE,
      },
    });
    expect(stderr).toContain('Stored in your keychain: token.');
    const lists = stdout.split('\n').filter((line) => line.includes('"secrets":'));
    expect(lists.map((line) => JSON.parse(line))).toMatchObject([
      { secrets: [{ name: 'token', in: 'keychain' }] },
      { secrets: [] },
    ]);
    // The server has got it, and none of our files has it.
    expect(stdout).toContain(VALUE);
    for (const file of readdirSync(state, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain(VALUE);
    }
  });
});
