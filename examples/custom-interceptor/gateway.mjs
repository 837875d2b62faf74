/** A gateway of your own in one sentence: serve(view(hub(sources, interceptors))). */
import { fileURLToPath } from 'node:url';

import { Hub, resultOf, View } from '@callsign/core';
import { profileForClient } from '@callsign/naming';
import { HeldCalls, openChild, openStdioDoor, Upstream } from '@callsign/wire';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const self = { name: 'harbour-gateway', version: '1.0.0' };
const maxMessageBytes = 10 * 1024 * 1024;

/** Says on standard error what was called, how it went, and how long it took. */
async function stopwatch(call, next) {
  const start = performance.now();
  const reply = await next();
  const ms = Math.round(performance.now() - start);
  process.stderr.write(`${call.target.canonical} ${call.target.risk} ${reply.ok} ${ms} ms\n`);
  return reply;
}

/** Answers by itself where sealed letters are asked for. */
async function discreet(call, next) {
  if (!call.params.includes('sealed')) return next();
  return resultOf({
    content: [{ type: 'text', text: 'Sealed letters stay shut.' }],
    isError: true,
  });
}

const server = here('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const { PATH = '' } = process.env;
const child = {
  command: process.execPath,
  args: [server, here('files')],
  env: { PATH },
  maxMessageBytes,
};
const letters = new Upstream({
  key: 'letters',
  self,
  transport: { onePipe: true, open: () => openChild(child) },
});

const hub = new Hub({ interceptors: [stopwatch, discreet] });
hub.set('letters', letters);
const listed = letters.start();

const { closed } = openStdioDoor({
  surface: {
    hub,
    self,
    viewFor: (client) => new View(hub, { profile: profileForClient(client) }),
    whenListed: () => listed,
    isSettled: () => letters.state.is !== 'starting',
  },
  held: new HeldCalls(),
  input: process.stdin,
  output: process.stdout,
  maxMessageBytes,
});
await closed;
await letters.stop();
