// Imports one document in its own process, so that its memory can be measured: DOCUMENT OUT
// SELECTION.
import { readFileSync, writeFileSync } from 'node:fs';

import { adapterFromOpenApi } from '@callsign/mcpaql/authoring';

const [document, out, selection] = process.argv.slice(2);
const result = adapterFromOpenApi(readFileSync(document, 'utf8'), {
  selection: JSON.parse(selection),
});
if (!result.ok) throw new Error(`${document}: ${result.report.findings.at(-1)?.message}`);
writeFileSync(out, result.adapter);
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cost = {
  operations: result.resolved.operations.size,
  adapterMb: Buffer.byteLength(result.adapter) / 2 ** 20,
  importSeconds: (userCPUTime + systemCPUTime) / 1e6,
  importMb: maxRSS / 1024,
};
console.log(JSON.stringify(cost));
