// Journals in the form that a gateway writes. Half of the calls change something and have an
// intent.
import { JournalFile } from '../../packages/audit/dist/journal/journal-file.js';

const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const BLOCK = 500;

export function writeJournals(folder, records) {
  const journal = new JournalFile({ folder, rotateBytes: 16 * 1024 * 1024, isDurable: false });
  const start = Date.now() - DAYS * DAY_MS;
  let calls = 0;
  let isAnnounced = false;
  let announced;
  const begin = performance.now();
  for (let block = 0; block < records; block += BLOCK) {
    const entries = Array.from({ length: Math.min(BLOCK, records - block) }, (_, i) => {
      const entry = { call: calls, time: start + ((block + i) / records) * DAYS * DAY_MS };
      const kind = calls % 2 === 0 && !isAnnounced ? 'intent' : 'call';
      isAnnounced = kind === 'intent';
      if (kind === 'call') calls++;
      return { ...entry, kind };
    });
    journal.append(entries, lineOf);
  }
  journal.close({ unwritten: 0 });
  return { calls, writeMs: performance.now() - begin };

  function lineOf({ call, time, kind }, n) {
    const [server, tool] = [`server${call % 10}`, `tool_${(call * 7) % 40}`];
    const risk = call % 2 === 1 ? 'read' : call % 20 === 0 ? 'destructive' : 'write';
    const isDenied = call % 5_000 === 0;
    const record = {
      id: `${journal.writer}-${n}`,
      time: new Date(time).toISOString(),
      kind,
      severity: { read: 'info', write: 'notice', destructive: 'warning' }[risk],
      server,
      tool: `${server}:${tool}`,
      name: `${server}__${tool}`,
      method: 'tools/call',
      risk,
      evidence: { by: 'server' },
      ...(call % 3 === 0 ? { caller: `person-${call % 7}` } : {}),
      client: `client-${call % 4}`,
      clientVersion: '1.0.0',
      era: 'session',
      decision: isDenied ? 'deny' : 'allow',
      rule: isDenied ? 'policy.rules[0]' : 'write: allow',
      ...(kind === 'call' ? { outcome: outcomeOf(call, isDenied), retries: 0 } : {}),
      session: `session-${call % 100}`,
      sizeIn: 100 + (call % 900),
      fingerprint: `sha256:${String(call).padStart(64, '0')}`,
      arguments: { path: `/tmp/file-${call}`, note: call % 100_000 === 1 ? 'a needle' : 'hay' },
      ...(kind === 'call' ? { ms: 0.5 + (call % 997) / 3, sizeOut: call % 5_000 } : {}),
      ...(kind === 'call' && announced !== undefined ? { intent: announced } : {}),
    };
    announced = kind === 'intent' ? record.id : undefined;
    return JSON.stringify(record);
  }
}

function outcomeOf(call, isDenied) {
  if (isDenied) return 'policy-denied';
  return call % 50 === 0 ? 'tool-error' : 'ok';
}
