// `npm run conformance`: the official suite through the gateway, both eras, two configurations; then its scenarios for
// OAuth. Writes docs/conformance.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startGateway } from './gateway.mjs';
import { pageOf, shortcomings } from './report.mjs';
import { runOwnAuthorization, runSignIns } from './sign-in.mjs';
import {
  expectedFailures,
  installSuite,
  requiredScenarios,
  runRequirements,
  suiteVersion,
} from './suite.mjs';

const VERSIONS = ['2025-11-25', '2026-07-28'];
/** Run for every version, by name, because it is essential for a gateway on loopback. */
const ALWAYS = 'dns-rebinding-protection';
const PAGE = join(import.meta.dirname, '../docs/conformance.md');

/**
 * The same suite twice: with the names that it expects, and with default names and servers in which
 * all names clash.
 */
const SETUPS = [
  { config: 'callsign.json', ignored: new Set() },
  // These two check the listed names, which here are the names of Callsign.
  { config: 'clash.json', ignored: new Set(['tools-list', 'json-schema-2020-12']) },
];

const suite = installSuite();
const scratch = mkdtempSync(join(tmpdir(), 'callsign-conformance-'));
const runs = [];
let signIns = [];
try {
  for (const { config, ignored } of SETUPS) {
    const gateway = await startGateway(config);
    try {
      for (const version of VERSIONS) {
        const all = [...(await requiredScenarios(suite, version)), ALWAYS];
        const required = new Set(all.filter((name) => !ignored.has(name)));
        const into = join(scratch, config, version);
        const wanted = { version, url: gateway.url, into };
        const { scenarios, output } = await runRequirements(suite, wanted);
        runs.push({ config, version, scenarios, required });
        process.stdout.write(output.slice(Math.max(0, output.indexOf('=== SUMMARY ==='))));
      }
    } finally {
      await gateway.stop();
    }
  }
  signIns = await runSignIns(suite, VERSIONS, scratch);
  signIns.push(await runOwnAuthorization(suite, scratch));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

writeFileSync(PAGE, pageOf(suiteVersion(suite), runs, signIns, expectedFailures()));
const wrong = [...runs, ...signIns].flatMap(shortcomings);
process.stdout.write(
  wrong.length === 0
    ? `\nEvery scored scenario passes: ${[...runs, ...signIns].map(({ config, version, required }) => `${required.size} of ${version} (${config})`).join(', ')}.\n`
    : `\n${wrong.join('\n')}\n`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
