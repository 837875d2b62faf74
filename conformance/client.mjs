// The client that the suite starts, with the address of a protected server: `callsign login` and `callsign call`, and a
// person who does what the messages say. It ends with the code of the last command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const COMMAND = join(import.meta.dirname, '../packages/cli/bin/callsign.cjs');
/** The suite knows this client by the address of its document. */
const DOCUMENT = 'https://conformance-test.local/client-metadata.json';
const TOOL = 'suite:test-tool';
/** How often the person does what a message says. */
const PATIENCE = 4;

const url = process.argv[2];
const { MCP_CONFORMANCE_CONTEXT, MCP_CONFORMANCE_SCENARIO: scenario } = process.env;
const given = JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}');

const home = mkdtempSync(join(tmpdir(), 'callsign-client-'));
try {
  process.exitCode = await useServer();
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function useServer() {
  const { client_id: clientId, client_secret: clientSecret, issuer } = given;
  const oauth = {
    ...(scenario === 'auth/basic-cimd' ? { clientMetadataUrl: DOCUMENT } : {}),
    ...(clientId === undefined ? {} : { clientId, clientSecret, issuer }),
  };
  const network = { allowPrivate: [] };
  for (let tries = 0; ; tries++) {
    const { code, stderr } = await loginAndCall({ servers: { suite: { oauth } }, network });
    const advice = JSON.parse(stderr.trim().split('\n').at(-1) || '{}').error?.message ?? '';
    const origin = /name (\S+) in the setting/.exec(advice)?.[1];
    const scope = /oauth\.scope" to "([^"]+)"/.exec(advice)?.[1];
    const isAdvised = origin !== undefined || /sign in(?: with)?: callsign /i.test(advice);
    if (code === 0 || !isAdvised || tries === PATIENCE) return code;
    if (origin !== undefined) network.allowPrivate.push(origin);
    if (scope !== undefined) oauth.scope = scope;
  }
}

/** Calls twice: a server may change its mind in between. */
async function loginAndCall(settings) {
  const config = { mcpServers: { suite: { url } }, callsign: settings };
  writeFileSync(join(home, 'callsign.json'), JSON.stringify(config));
  let done = await callsign(['login', 'suite', '--no-browser', '--json'], visit);
  for (let calls = 0; calls < 2 && done.code === 0; calls++)
    done = await callsign(['call', TOOL, '--yes', '--json']);
  return done;
}

/** The page of the suite says yes by itself, and leads back. */
async function visit(page) {
  await (await fetch(page)).text();
}

async function callsign(words, open) {
  const args = [COMMAND, ...words, '--config', join(home, 'callsign.json')];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state') },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8');
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stderr)) {
    process.stderr.write(`${line}\n`);
    stderr = `${stderr}${line}\n`;
    const page = /"visit":("[^"]+")/.exec(line)?.[1];
    if (page !== undefined) await open(JSON.parse(page));
  }
  const [code] = await ended;
  return { code, stderr };
}
