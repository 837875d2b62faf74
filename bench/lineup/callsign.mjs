// Callsign itself: the bundled command, as it is published, with both listeners and in both eras.
import { bundledCommand } from '../../scripts/bundled-command.mjs';
import { httpClient } from '../load/http-client.mjs';
import { hear, launch } from '../processes.mjs';
import { MODULES, VARIANTS } from '../variants.mjs';
import { freshFolder, ready, startOnStdio, writeConfig } from './contestant.mjs';

const colon = (server, tool, args) => ({ name: `${server}:${tool}`, args });

let command;

/** What Node is started with. Looks for it once: this takes some milliseconds, which are not part of a start. */
export async function bundled() {
  return [await (command ??= bundledCommand())];
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
