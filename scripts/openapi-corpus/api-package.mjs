// Makes a package from a complete API: imports, validates, serves, type-checks, compiles and tests
// it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { adapterFromOpenApi, generateAdapter } from '@callsign/mcpaql/authoring';
import { createAdapterSource, parseAdapter } from '@callsign/mcpaql';

const TICKS_PER_SECOND = 100;
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

export function measurePackage(text, folder) {
  const started = process.cpuUsage();
  const result = adapterFromOpenApi(text);
  const parsed = result.ok ? parseAdapter(result.adapter, 'api.adapter.md') : result;
  if (!parsed.ok) throw new Error(`${folder} was not imported.`);
  const importSeconds = secondsSince(started);
  const served = createAdapterSource(parsed.adapter, { env: {} });
  rmSync(folder, { recursive: true, force: true });
  const beforeFiles = process.cpuUsage();
  const files = generateAdapter(parsed.adapter);
  const generateSeconds = secondsSince(beforeFiles);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  symlinkSync(MODULES, join(folder, 'node_modules'));
  const tsc = run(folder, [join(MODULES, 'typescript/bin/tsc'), '--extendedDiagnostics']);
  if (tsc.status !== 0)
    throw new Error(`The package does not compile:\n${tsc.stdout.slice(0, 2000)}`);
  const tests = run(folder, ['--test', '--test-reporter=tap', 'dist/test/adapter.test.js']);
  if (tests.status !== 0) throw new Error(`Its tests fail:\n${tests.stdout.slice(-2000)}`);
  return {
    operations: parsed.adapter.operations.size,
    tools: served.offer.tool.length,
    importSeconds,
    generateSeconds,
    compileSeconds: tsc.seconds,
    memoryMb: Number(/Memory used:\s+(\d+)K/.exec(tsc.stdout)?.[1] ?? 0) / 1024,
    tests: Number(/^# pass (\d+)/m.exec(tests.stdout)?.[1] ?? 0),
    characters: [...files.values()].reduce((sum, content) => sum + content.length, 0),
  };
}

function secondsSince(started) {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}

/** Measures processor time, which other programs on the machine hardly change. */
function run(cwd, args) {
  const started = childSeconds();
  const done = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 });
  return { ...done, seconds: childSeconds() - started };
}

/** Processor time of all commands that have ended; Linux only. */
function childSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
