// Records calls in a folder, in the order of the gateway.
import { Hub, NOTHING, observe, resultOf, Call } from '@callsign/core';

import { Audit, AUDIT_SETTINGS } from '@callsign/audit';

/** Calls a tool that may change something. `between` runs after the first call. */
export async function recordCalls(folder, count, between = () => undefined) {
  const { audit, call } = recorder(folder, 'strict');
  for (let i = 0; i < count; i++) {
    await call(i);
    if (i === 0) between();
  }
  await audit.close(60_000);
}

export function recorder(folder, mode) {
  const audit = new Audit({
    settings: { ...AUDIT_SETTINGS.parse({ mode, maxBytes: 1024 * 1024 }), folder },
    log: (level, message) => process.stderr.write(`${level}: ${message}\n`),
  });
  const { strict, intent } = audit;
  const hub = new Hub({
    interceptors: [observe([audit], () => performance.now()), ...(strict ? [strict] : []), intent],
  });
  const item = { name: 'write', json: '{"name":"write"}' };
  hub.set('notes', {
    offer: { ...NOTHING, tool: [item] },
    route: () => ({ item, send: () => Promise.resolve(resultOf({ content: [] })) }),
    subscribe: () => () => undefined,
    tell: () => undefined,
  });
  return { audit, call: (i) => hub.route('tool', 'notes:write').send(callOf(i)) };
}

function callOf(i) {
  return new Call({
    method: 'tools/call',
    params: `{"name":"notes:write","arguments":{"i":${i}}}`,
    name: 'notes:write',
    nameStart: 8,
    nameEnd: 21,
    tokenStart: -1,
    tokenEnd: -1,
    caller: {
      id: 'session',
      era: 'session',
      client: { name: 'writer', version: '1' },
      capabilities: '{}',
      can: () => false,
    },
  });
}
