// Contestants as people read of them.
import { INTERCEPTORS, VARIANTS } from '../variants.mjs';
import { callsignOnStdio } from './callsign.mjs';
import { CHILD, RELAY_HTTP, RELAY_STDIO } from './floor.mjs';
import { NPM_PEERS, SDK_STDIO } from './peers.mjs';

const ours = [...Object.keys(VARIANTS), ...Object.keys(INTERCEPTORS)].flatMap((variant) => [
  callsignOnStdio(variant),
  callsignOnStdio(variant, 'stateless'),
]);
const all = [CHILD, RELAY_STDIO, RELAY_HTTP, ...ours, SDK_STDIO, ...NPM_PEERS];

/** @type {ReadonlyMap<string, string>} */
export const labels = new Map([
  ...all.map(({ who, label }) => [who, label]),
  ['bytes', 'the same bytes from node:http'],
]);

/** @type {ReadonlyMap<string, 'floor' | 'callsign' | 'peer'>} */
export const roles = new Map(all.map(({ who, role }) => [who, role]));
