// `npm run conformance`: the official suite through the gateway, both eras, two configurations; writes docs/conformance.md.
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

/** The same suite twice: with the names that it wants, and with default names and servers whose everything clashes. */
const SETUPS = [
  { config: 'callsign.json', ignored: new Set() },
  // These two read the names in the list, which are ours here.
  { config: 'clash.json', ignored: new Set(['tools-list', 'json-schema-2020-12']) },
];

const suite = installSuite();
const scratch = mkdtempSync(join(tmpdir(), 'callsign-conformance-'));
const runs = [];
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
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

writeFileSync(PAGE, pageOf(suiteVersion(suite), runs));
const wrong = runs.flatMap(shortcomings);
process.stdout.write(
  wrong.length === 0
    ? `\nEvery scored scenario passes: ${runs.map(({ config, version, required }) => `${required.size} of ${version} (${config})`).join(', ')}.\n`
    : `\n${wrong.join('\n')}\n`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
