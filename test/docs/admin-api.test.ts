/** docs/admin-api.md names every path of the admin API, and no other. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Gateway } from '@callsign/gateway/host';
import { AdminRouter, gatewayConsole, serveAdminApi, statusOf } from '@callsign/gateway/admin';
import { expect, it } from 'vitest';

import { configured, plain } from '../../packages/gateway/src/testing/served.js';
import { ROOT } from '../architecture/tree.js';

/** Answered by the HTTP site before the router. */
const OF_SESSIONS = ['POST /session', 'GET /session', 'DELETE /session'];
/** Added by the socket. */
const OF_OTHERS = ['GET /'];

it('docs/admin-api.md names every path, and no other', () => {
  const gateway = new Gateway(configured({ s: plain() }, {}), {
    self: { name: 'callsign', version: '0' },
    log: () => undefined,
  });
  const router = new AdminRouter();
  const config = { ok: true } as const;
  const look = () => Promise.resolve();
  const reloader = { status: config, look, lookIfChanged: look };
  const parts = { version: '0', config, startedAt: '', url: undefined, clients: [] };
  serveAdminApi(router, { gateway, reloader, status: () => statusOf(gateway, parts) });
  gatewayConsole({ gateway, router, folder: '.', host: '127.0.0.1', origin: () => undefined });
  const text = readFileSync(join(ROOT, 'docs', 'admin-api.md'), 'utf8');
  const named = [...text.matchAll(/`(GET|POST|DELETE) (\/[^`\s?]*)/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const served = [...router.routes, ...OF_SESSIONS, ...OF_OTHERS];
  expect([...new Set(named)].toSorted()).toEqual([...new Set(served)].toSorted());
});
