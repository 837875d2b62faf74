// The names of contestants in tables and plots.
import { MODULES, VARIANTS } from '../variants.mjs';
import { callsignOnStdio } from './callsign.mjs';
import { CHILD, relayOnHttp, relayOnStdio } from './floor.mjs';
import { NPM_PEERS, SDK_STDIO } from './peers.mjs';

const floor = ['session', 'stateless'].flatMap((era) => [relayOnStdio(era), relayOnHttp(era)]);
const ours = [...Object.keys(VARIANTS), ...Object.keys(MODULES)].flatMap((variant) => {
  const contestant = callsignOnStdio(variant);
  const tools = (contestant.tools ?? []).map((tool) => ({ ...tool, role: contestant.role }));
  return [contestant, ...tools, callsignOnStdio(variant, 'stateless')];
});
const all = [CHILD, ...floor, ...ours, SDK_STDIO, ...NPM_PEERS];

/** @type {ReadonlyMap<string, string>} */
export const labels = new Map([
  ...all.map(({ who, label }) => [who, label]),
  ['bytes', 'the same bytes from node:http'],
  ['connect', 'callsign connect'],
  ['node', 'node alone'],
]);

/** @type {ReadonlyMap<string, 'floor' | 'callsign' | 'peer'>} */
export const roles = new Map(all.map(({ who, role }) => [who, role]));
