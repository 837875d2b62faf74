// A process that makes audited calls of a server in a child process, many at once, as built and not from source.
// Arguments: the log, the child's notes, the label of this run, how many calls. Prints a line per answer.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { Call, Hub, NOTHING, observe, resultOf } from '@callsign/core';

import { Audit, AUDIT_SETTINGS } from '@callsign/audit';

const AT_ONCE = 25;
const [file, notes, run, count] = process.argv.slice(2);
const settings = { ...AUDIT_SETTINGS.parse({ mode: 'strict' }), file };
const log = (level, message) => process.stderr.write(`${level}: ${message}\n`);
const audit = new Audit({ settings, log });

const script = fileURLToPath(new URL('noting-child.mjs', import.meta.url));
const child = spawn(process.execPath, [script, notes], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
createInterface({ input: child.stdout }).on('line', (line) => waiting.get(line)?.());

const hub = new Hub({
  interceptors: [observe([audit], () => performance.now()), audit.strict, audit.intent],
});
const item = { name: 'write', json: '{"name":"write"}' };
hub.set('notes', {
  offer: { ...NOTHING, tool: [item] },
  route: (kind, name) => (kind === 'tool' && name === 'write' ? { item, send } : undefined),
  subscribe: () => () => undefined,
  tell: () => undefined,
});

let next = 0;
await Promise.all(Array.from({ length: AT_ONCE }, callInTurn));
child.stdin.end();
await audit.close(60_000);

async function callInTurn() {
  while (next < Number(count)) {
    const params = `{"name":"notes:write","arguments":{"run":"${run}","i":${next++}}}`;
    await hub.route('tool', 'notes:write').send(callOf(params));
    process.stdout.write('.\n');
  }
}

function send(call) {
  const line = call.params.slice(call.params.indexOf('"arguments":') + 12, -1);
  return new Promise((resolve) => {
    waiting.set(line, () => resolve(resultOf({ content: [] })));
    child.stdin.write(`${line}\n`);
  });
}

function callOf(params) {
  return new Call({
    method: 'tools/call',
    params,
    name: 'notes:write',
    nameStart: 8,
    nameEnd: 21,
    tokenStart: -1,
    tokenEnd: -1,
    caller: {
      id: run,
      era: 'session',
      client: { name: 'writer', version: '1' },
      capabilities: '{}',
      can: () => false,
    },
  });
}
