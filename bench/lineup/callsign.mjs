// Callsign itself: the bundled command, as it is published, with both listeners and in both eras.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { bundledCommand } from '../../scripts/bundled-command.mjs';
import { httpClient } from '../load/http-client.mjs';
import { hear, launch } from '../processes.mjs';
import { MODULES, VARIANTS } from '../variants.mjs';
import { freshFolder, ready, startOnStdio, writeConfig } from './contestant.mjs';

const colon = (server, tool, args) => ({ name: `${server}:${tool}`, args });

let command;

/** Looks for it once: this takes some milliseconds, which are not part of a start. */
function commandFile() {
  return (command ??= bundledCommand());
}

/** What Node is started with. */
async function bundled() {
  return [await commandFile()];
}

/** A copy without compiled code. No start of it lasts long enough to keep some. */
async function justInstalled() {
  return [join(`${dirname(dirname(await commandFile()))}-new`, 'bin', 'callsign.cjs')];
}

/** Compiled code is not part of an installation. */
function isInstalled(file) {
  return !file.endsWith('.cache');
}

/** Makes the copy, and runs the command until its compiled code is kept, as it is for a user's second start. */
export async function prepareCommand() {
  const folder = dirname(dirname(await commandFile()));
  rmSync(`${folder}-new`, { recursive: true, force: true });
  cpSync(folder, `${folder}-new`, { recursive: true, filter: isInstalled });
  // Newer versions of Node keep it themselves.
  if ('enableCompileCache' in module) return;
  const code = join(folder, 'bundle', 'serve');
  const kept = () => readdirSync(code).filter((name) => name.endsWith('.cache'));
  for (const name of kept()) rmSync(join(code, name));
  const running = await callsignOnStdio('default').start({ server: [] });
  for (let waits = 0; waits < 100 && kept().length === 0; waits++) await pause(100);
  await running.stop();
  if (kept().length === 0) throw new Error('The command did not keep its compiled code.');
}

/** @returns {import('./contestant.mjs').Contestant} */
export function callsignJustInstalled() {
  const label = 'Callsign, the first start after the installation';
  return { ...callsignOnStdio('default', 'session', justInstalled), who: 'callsign-new', label };
}

/** Other tools that the default variant is called with: what a call costs depends on the tool's label. */
const TOOLS = [
  { who: 'callsign-change', label: 'Callsign, a tool that changes something', tool: 'change' },
  { who: 'callsign-silent', label: 'Callsign, a tool without hints', tool: 'silent' },
];

/** @param {import('../load/client.mjs').Era} [era] @returns {import('./contestant.mjs').Contestant} */
export function callsignOnStdio(variant, era = 'session', node = bundled) {
  const { label, settings } = VARIANTS[variant] ?? MODULES[variant];
  return {
    ...named(variant, label, era),
    listener: 'stdio',
    async start(servers) {
      const config = writeConfig(servers, settings);
      const args = [...(await node()), 'serve', '--config', config, '--stdio'];
      return startOnStdio(args, servers, colon, { era, env: ownState() });
    },
  };
}

/** @param {import('../load/client.mjs').Era} [era] @returns {import('./contestant.mjs').Contestant} */
export function callsignOnHttp(variant, era = 'session', node = bundled) {
  const { label, settings } = VARIANTS[variant] ?? MODULES[variant];
  return {
    ...named(variant, label, era),
    listener: 'http',
    async start(servers) {
      const config = writeConfig(servers, settings);
      const args = [...(await node()), 'serve', '--config', config];
      const launched = launch([...args, '--http', '0'], { listener: 'http', env: ownState() });
      const [, url] = await hear(launched, /listens on (\S+)/);
      const [server] = Object.keys(servers);
      const client = httpClient(url, { era, name: `${server}:echo` });
      // Each call of the stateless era names its tool in a header, so one client calls one tool.
      const reachable = era === 'session' ? servers : { [server]: servers[server] };
      return ready({ launched, client, servers: reachable, wording: colon, era });
    },
  };
}

/** Callsign's state is in a folder of the bench, so that every start is a first start. */
function ownState() {
  return { XDG_STATE_HOME: freshFolder('state') };
}

function named(variant, label, era) {
  const who = variant === 'default' ? 'callsign' : `callsign-${variant}`;
  if (era === 'stateless')
    return { who: `${who}-${era}`, label: `${label}, ${era}`, role: 'callsign' };
  return { who, label, role: 'callsign', ...(variant === 'default' ? { tools: TOOLS } : {}) };
}
