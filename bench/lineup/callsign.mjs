// Callsign itself: the real command, as built, by either listener and in either era.
import { join } from 'node:path';

import { httpClient } from '../load/http-client.mjs';
import { hear, launch } from '../processes.mjs';
import { INTERCEPTORS, knownSettings, VARIANTS } from '../variants.mjs';
import { freshFile, ready, startOnStdio, writeConfig } from './contestant.mjs';

const COMMAND = join(import.meta.dirname, '../../packages/cli/bin/callsign.mjs');
const colon = (server, tool, args) => ({ name: `${server}:${tool}`, args });
/** Longer messages than people send, so that large payloads and catalogues pass. */
const ROOM = { limits: { maxMessageBytes: 64 * 1024 * 1024 } };

/** @param {import('../load/client.mjs').Era} [era] @returns {import('./contestant.mjs').Contestant} */
export function callsignOnStdio(variant, era = 'session', nodeFlags = []) {
  const { label, settings } = VARIANTS[variant] ?? INTERCEPTORS[variant];
  return {
    ...named(variant, label, era),
    listener: 'stdio',
    start(servers) {
      const config = writeConfig(servers, { ...ROOM, ...knownSettings(settings(freshFile)) });
      const args = [...nodeFlags, COMMAND, 'serve', '--config', config, '--stdio'];
      return startOnStdio(args, servers, colon, { era });
    },
  };
}

/** @param {import('../load/client.mjs').Era} [era] @returns {import('./contestant.mjs').Contestant} */
export function callsignOnHttp(variant, era = 'session', nodeFlags = []) {
  const { label, settings } = VARIANTS[variant] ?? INTERCEPTORS[variant];
  return {
    ...named(variant, label, era),
    listener: 'http',
    async start(servers) {
      const config = writeConfig(servers, { ...ROOM, ...knownSettings(settings(freshFile)) });
      const args = [...nodeFlags, COMMAND, 'serve', '--config', config, '--http', '0'];
      const launched = launch(args, { listener: 'http' });
      const [, url] = await hear(launched, /listens on (\S+)/);
      const [server] = Object.keys(servers);
      const client = httpClient(url, { era, name: `${server}:echo` });
      // Each call of the stateless era names its tool in a header, so one client calls one tool.
      const reachable = era === 'session' ? servers : { [server]: servers[server] };
      return ready({ launched, client, servers: reachable, wording: colon, era });
    },
  };
}

function named(variant, label, era) {
  if (era === 'session') return { who: `callsign-${variant}`, label, role: 'callsign' };
  return { who: `callsign-${variant}-${era}`, label: `${label}, ${era}`, role: 'callsign' };
}
