// The official suite: installed once into its own folder, and run with a Node version that is new
// enough for it.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const HERE = import.meta.dirname;
const OLDEST_NODE = 22;
const EXPECTED = join(HERE, 'expected-failures.yaml');

/** The folder that holds the suite; `CALLSIGN_SUITE` names one that is installed already. */
export function installSuite() {
  const { CALLSIGN_SUITE: given } = process.env;
  if (given) return given;
  const folder = join(HERE, '.suite');
  const stamp = join(folder, 'node_modules', '.callsign-suite');
  const lock = readFileSync(join(HERE, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  process.stderr.write(
    'Installing the conformance suite (only when its lock file has changed) …\n',
  );
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(HERE, file), join(folder, file));
  }
  const { npm_execpath: npm } = process.env;
  // The engine check of npm is off, because the suite runs with the Node that it depends on.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: folder, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2], shell: true });
  if (status !== 0) throw new Error('The suite could not be installed.');
  writeFileSync(stamp, wanted);
  return folder;
}

export function suiteVersion(folder) {
  const file = join(folder, 'node_modules/@modelcontextprotocol/conformance/package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

/** The scenarios for servers that count towards a version. */
export async function requiredScenarios(folder, version) {
  const { output } = await runSuite(folder, ['list', '--requirements', version]);
  const [, section = ''] = /Server scenarios[^\n]*\n((?: {2}- .+\n)+)/.exec(output) ?? [];
  return [...section.matchAll(/- (\S+)/g)].map(([, name]) => name);
}

/** The scenarios for OAuth clients of a version. `isExtra`: they do not count towards it. */
export async function authScenarios(folder, version) {
  const { output } = await runSuite(folder, ['list', '--requirements', version]);
  return [...output.matchAll(/^ +- (auth\/\S+)( \[client\])?$/gm)].map(([, name, extra]) => ({
    name,
    isExtra: extra !== undefined,
  }));
}

/**
 * Runs a scenario with the client of this folder. `isExpected`: it passed, or failed as the list of expected failures
 * says.
 */
export async function runClient(folder, { name, version, into }) {
  const client = `${process.execPath} ${join(HERE, 'client.mjs')}`;
  const timeout = ['--timeout', '180000', '--expected-failures', EXPECTED];
  const args = ['client', '--command', client, '--scenario', name, '-o', into, ...timeout];
  // Extensions belong to no version.
  const of = version === undefined ? [] : ['--spec-version', version];
  const { code } = await runSuite(folder, [...args, ...of], 'ignore');
  return { name, checks: readChecks(into, name), isExpected: code === 0 };
}

/** Runs the scenarios for authorization servers. `onPage` gets the address that a person opens. */
export async function runAuthorization(folder, { origin, clientId, port, into, onPage }) {
  const resource = `${origin}/mcp`;
  const client = ['--client-id', clientId, '--port', String(port), '--resource', resource];
  const args = ['authorization', '--url', origin, ...client, '-o', into];
  const { output } = await runSuite(folder, args, 'inherit', onPage);
  return [...output.matchAll(/^=== Running scenario: (\S+) ===$/gm)].map(([, name]) => ({
    name,
    checks: readChecks(into, `authorization-server-${name}`),
  }));
}

/** Why scenarios are expected to fail, by name. */
export function expectedFailures() {
  const lines = readFileSync(EXPECTED, 'utf8').matchAll(/^ {2}- (\S+) # (.+)$/gm);
  return new Map([...lines].map(([, name, reason]) => [name, reason]));
}

/**
 * Runs the scenarios of a version. Returns each with its checks and, if it is not scored, the
 * reason.
 */
export async function runRequirements(folder, { version, url, into }) {
  const args = ['server', '--url', url, '--requirements', version, '-o', into];
  const { output, code } = await runSuite(folder, args);
  const unscored = /Not scored for[^\n]*\n((?: {2}. .+\n?)*)/.exec(output)?.[1] ?? '';
  const reasons = new Map(
    [...unscored.matchAll(/^ {2}. (\S+) \((.+)\)$/gm)].map(([, name, why]) => [name, why]),
  );
  const scenarios = [...output.matchAll(/^=== Running scenario: (\S+) ===$/gm)].map(([, name]) => ({
    name,
    reason: reasons.get(name),
    checks: readChecks(into, `server-${name}`),
  }));
  return { scenarios, output, code };
}

/** `start`: the name of the folder without the time at its end. */
function readChecks(into, start) {
  const [parent, name] = [dirname(join(into, start)), basename(start)];
  const folder = existsSync(parent)
    ? readdirSync(parent).find((each) => each.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '') === name)
    : undefined;
  const file = folder && join(parent, folder, 'checks.json');
  return file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

/** The standard output of the suite, and its exit code. `onPage`: called with the first address that it prints. */
function runSuite(folder, args, stderr = 'inherit', onPage = undefined) {
  const script = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const child = spawn(nodeFor(folder), [script, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', stderr],
  });
  let output = '';
  let isOpened = false;
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const page = onPage && /^(http:\S+\/authorize\?\S+)\n/m.exec(output)?.[1];
      if (page === undefined || isOpened) return;
      isOpened = true;
      onPage(page).catch(reject);
    });
    child.once('error', reject).once('close', (code) => resolve({ output, code }));
  });
}

function nodeFor(folder) {
  const brought = join(folder, `node_modules/node-linux-${process.arch}/bin/node`);
  if (existsSync(brought)) return brought;
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
  throw new Error(`The suite needs Node ${OLDEST_NODE}; this is ${process.version}.`);
}
