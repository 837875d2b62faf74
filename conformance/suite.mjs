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
import { join } from 'node:path';

const HERE = import.meta.dirname;
const OLDEST_NODE = 22;

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
    checks: readChecks(into, name),
  }));
  return { scenarios, output, code };
}

function readChecks(into, scenario) {
  const folder = readdirSync(into).find((name) =>
    new RegExp(`^server-${scenario}-\\d{4}-\\d\\d-\\d\\dT[\\d-]+Z$`).test(name),
  );
  return folder ? JSON.parse(readFileSync(join(into, folder, 'checks.json'), 'utf8')) : [];
}

/** The standard output of the suite, and its exit code. */
function runSuite(folder, args) {
  const script = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const child = spawn(nodeFor(folder), [script, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ output, code }));
  });
}

function nodeFor(folder) {
  const brought = join(folder, `node_modules/node-linux-${process.arch}/bin/node`);
  if (existsSync(brought)) return brought;
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
  throw new Error(`The suite needs Node ${OLDEST_NODE}; this is ${process.version}.`);
}
