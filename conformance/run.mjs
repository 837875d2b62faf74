// `npm run conformance`: the official suite through the gateway, both eras, one configuration; writes docs/conformance.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startGateway } from './gateway.mjs';
import { pageOf, shortcomings } from './report.mjs';
import { installSuite, requiredScenarios, runRequirements, suiteVersion } from './suite.mjs';

const VERSIONS = ['2025-11-25', '2026-07-28'];
/** Part of every version, by name: a gateway on loopback stands or falls with it. */
const ALWAYS = 'dns-rebinding-protection';
const PAGE = join(import.meta.dirname, '../docs/conformance.md');

const suite = installSuite();
const scratch = mkdtempSync(join(tmpdir(), 'callsign-conformance-'));
const gateway = await startGateway();
const runs = [];
try {
  for (const version of VERSIONS) {
    const required = new Set([...(await requiredScenarios(suite, version)), ALWAYS]);
    const into = join(scratch, version);
    const { scenarios, output } = await runRequirements(suite, { version, url: gateway.url, into });
    runs.push({ version, scenarios, required });
    process.stdout.write(output.slice(Math.max(0, output.indexOf('=== SUMMARY ==='))));
  }
} finally {
  await gateway.stop();
  rmSync(scratch, { recursive: true, force: true });
}

writeFileSync(PAGE, pageOf(suiteVersion(suite), runs));
const wrong = runs.flatMap(shortcomings);
process.stdout.write(
  wrong.length === 0
    ? `\nEvery scored scenario passes: ${runs.map(({ version, required }) => `${required.size} of ${version}`).join(', ')}.\n`
    : `\n${wrong.join('\n')}\n`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
