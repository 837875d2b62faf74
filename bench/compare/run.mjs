// `npm run compare`: starts Callsign and other gateways on the same servers, and writes what they do into docs/comparison.md.
// `--json` prints the figures instead; `--only NAME` measures one gateway.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describeMachine } from '../machine.mjs';
import { installPeers, peerVersions } from '../peers/install.mjs';
import { GATEWAYS } from './gateways.mjs';
import { contents, crash, lists, load, starting } from './measure.mjs';
import { tableOf } from './table.mjs';

const PAGE = join(import.meta.dirname, '../../docs/comparison.md');
const [START, END] = ['<!-- measured:start -->', '<!-- measured:end -->'];
const MEASURES = { lists, contents, starting, crash, load };

const args = process.argv.slice(2);
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
const missing = installPeers();
if (missing !== undefined) throw new Error(`The gateways from npm: ${missing}`);

const measured = [];
for (const gateway of GATEWAYS.filter(({ name }) => only === undefined || name === only)) {
  const figures = {};
  for (const [id, measure] of Object.entries(MEASURES)) {
    process.stderr.write(`${gateway.name}: ${id}\n`);
    figures[id] = await measure(gateway).catch((error) => ({ failed: error.message }));
  }
  const version = gateway.package && peerVersions()[gateway.package];
  measured.push({ name: gateway.name, version, ...figures });
}

if (args.includes('--json')) console.log(JSON.stringify(measured, undefined, 2));
else {
  const text = tableOf(measured, describeMachine(true));
  console.log(text);
  if (only === undefined) {
    const page = readFileSync(PAGE, 'utf8');
    const [before, after] = [page.split(START)[0], page.split(END)[1]];
    writeFileSync(PAGE, `${before}${START}\n\n${text}\n\n${END}${after}`);
  }
}
// An open socket must not keep this process alive.
process.exit();
