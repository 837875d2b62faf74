// The floor: what is there without any gateway, and with the least that could be one.
import { join } from 'node:path';

import { httpClient } from '../load/http-client.mjs';
import { hear, launch } from '../processes.mjs';
import { childArguments, ready, startOnStdio, writeConfig } from './contestant.mjs';

const RELAY = join(import.meta.dirname, '../floor/relay.mjs');
const plain = (_server, tool, args) => ({ name: tool, args });
const colon = (server, tool, args) => ({ name: `${server}:${tool}`, args });

/** @type {import('./contestant.mjs').Contestant} */
export const CHILD = {
  who: 'child',
  label: 'the server alone',
  role: 'floor',
  listener: 'stdio',
  start(servers) {
    const [[key, flags]] = Object.entries(servers);
    return startOnStdio(childArguments(flags), { [key]: flags }, plain);
  },
};

/** @type {import('./contestant.mjs').Contestant} */
export const RELAY_STDIO = {
  who: 'relay',
  label: 'bare relay',
  role: 'floor',
  listener: 'stdio',
  start: (servers) => startOnStdio([RELAY, writeConfig(servers), '--stdio'], servers, colon),
};

/** @type {import('./contestant.mjs').Contestant} */
export const RELAY_HTTP = {
  who: 'http-relay',
  label: 'bare HTTP relay',
  role: 'floor',
  listener: 'http',
  async start(servers) {
    const launched = launch([RELAY, writeConfig(servers), '--http'], { listener: 'http' });
    const [, url] = await hear(launched, /listens on (\S+)/);
    const client = httpClient(url, { era: 'session', name: '' });
    return ready({ launched, client, servers, wording: colon });
  },
};
