// The floor: no gateway, and the simplest possible one.
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

/** @param {import('../load/client.mjs').Era} [era] @returns {import('./contestant.mjs').Contestant} */
export function relayOnStdio(era = 'session') {
  return {
    ...named('relay', 'bare relay', era),
    listener: 'stdio',
    start: (servers) =>
      startOnStdio([RELAY, writeConfig(servers), '--stdio'], servers, colon, { era }),
  };
}

/** @param {import('../load/client.mjs').Era} [era] @returns {import('./contestant.mjs').Contestant} */
export function relayOnHttp(era = 'session') {
  return {
    ...named('http-relay', 'bare HTTP relay', era),
    listener: 'http',
    async start(servers) {
      const launched = launch([RELAY, writeConfig(servers), '--http'], { listener: 'http' });
      const [, url] = await hear(launched, /listens on (\S+)/);
      const client = httpClient(url, { era, name: '' });
      return ready({ launched, client, servers, wording: colon, era });
    },
  };
}

/** The relay works with both eras, because it does not read the parts in which they differ. */
function named(who, label, era) {
  if (era === 'session') return { who, label, role: 'floor' };
  return { who: `${who}-${era}`, label: `${label}, ${era} messages`, role: 'floor' };
}
