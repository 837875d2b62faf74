/** The admin API of a gateway: every path, and the function that answers it. */

import { RISKS, type Risk } from '@callsign/annotations';
import * as z from 'zod';

import type { Gateway, Reloader } from '@callsign/gateway';
import { withLabels } from '../tool/accepted-labels.js';
import { tryTool } from './try-tool.js';
import { acceptTools, showLock } from './admin-lock.js';
import { listClients, showClient } from './admin-names.js';
import { changePolicy, proposePolicy, readPolicy, showPolicy } from './admin-policy.js';
import { serveRecords, type RecordQueries } from './admin-records.js';
import { AdminError, type AdminRouter } from '../router/admin-router.js';
import { listServers, showStatus } from './admin-servers.js';
import { decideTool, listTools, requireTool, showTool } from './admin-tools.js';
import { serveApprovals } from './approval-routes.js';
import { serveCalls } from './call-routes.js';
import { changeConfig, type WriteConfig } from './config-change.js';
import type { GatewayStatus } from './gateway-status.js';
import { LiveFeed } from './live-feed.js';
import { replayCalls } from './policy-replay.js';
import { serveServers } from './server-routes.js';

export interface AdminRoutesOptions {
  readonly gateway: Gateway;
  readonly reloader: Pick<Reloader, 'look' | 'lookIfChanged' | 'status'>;
  readonly status: () => GatewayStatus;
  /** Writes a changed configuration. Unset: replaces the file. */
  readonly write?: WriteConfig;
  /** Unset: recorded calls cannot be listed. */
  readonly records?: RecordQueries;
}

const MAX_REPLAYED = 10_000;
const CHANGE = { save: z.exactOptional(z.boolean()), base: z.exactOptional(z.string()) };
const LABEL = z.strictObject({ risk: z.enum(RISKS as readonly [Risk, ...Risk[]]), ...CHANGE });
const POLICY = z.strictObject({ policy: z.string(), ...CHANGE });
const REPLAY = z.strictObject({ policy: z.string(), since: z.iso.datetime() });
const ACCEPT = z.strictObject({ tool: z.exactOptional(z.string()) });
const CALL = z.strictObject({ arguments: z.record(z.string(), z.unknown()) });

export function serveAdminApi(router: AdminRouter, options: AdminRoutesOptions): void {
  const { gateway, reloader, status, records, write } = options;
  const hasRecords = records !== undefined;
  const overview = () => showStatus(gateway, { config: reloader.status, hasRecords });
  if (records) serveRecords(router, records);
  serveApprovals(router, gateway.shared.desk);
  serveCalls(router, gateway);
  serveServers(router, gateway);
  router.on('GET', '/status', status);
  router.on('POST', '/reload', ({ query }) =>
    query.has('changed') ? reloader.lookIfChanged() : reloader.look(),
  );
  router.on('GET', '/gateways', async () => [(await router.answer('GET', '/', undefined)).body]);
  const feed = new LiveFeed(gateway, overview);
  router.on('GET', '/events', () => feed.events());
  router.on('GET', '/overview', overview);
  router.on('GET', '/servers', () => listServers(gateway));
  router.on('POST', '/servers/:key/restart', ({ params }) => {
    const key = params.get('key')!;
    if (!gateway.servers.restart(key))
      throw new AdminError(404, `There is no server ${key} to restart.`);
    return { restarted: key };
  });

  router.on('GET', '/tools', () => listTools(gateway));
  router.on('GET', '/tools/:name', ({ params }) => showTool(gateway, params.get('name')!));
  router.on('GET', '/tools/:name/decision', ({ params, query }) =>
    decideTool(gateway, params.get('name')!, {
      client: query.get('client') ?? '',
      role: query.get('role') ?? undefined,
    }),
  );
  router.on('POST', '/tools/:name/label', ({ params, body }) => {
    const { risk, ...request } = read(LABEL, body);
    const entry = requireTool(gateway, params.get('name')!);
    const edit = (text: string): string => withLabels(text, [{ entry, risk }]);
    return reloaded(changeConfig(gateway.config.file, edit, { ...request, write }));
  });
  router.on('POST', '/tools/:name/call', ({ params, body, caller, signal }) => {
    const { arguments: args } = read(CALL, body);
    const request = { name: params.get('name')!, args: JSON.stringify(args), caller };
    return tryTool(gateway, request, signal);
  });

  router.on('GET', '/names', () => listClients(gateway));
  router.on('GET', '/names/:profile', ({ params }) => showClient(gateway, params.get('profile')!));

  router.on('GET', '/lock', () => showLock(gateway));
  router.on('POST', '/lock/:server', ({ params, body }) => {
    const { tool } = read(ACCEPT, body ?? {});
    return acceptTools(gateway, params.get('server')!, tool);
  });

  router.on('GET', '/policy', () => showPolicy(gateway));
  router.on('POST', '/policy', ({ body }) => {
    const { policy, ...request } = read(POLICY, body);
    if (!request.save) return proposePolicy(gateway, policy);
    return reloaded(changePolicy(gateway, policy, { ...request, write }));
  });

  router.on('POST', '/policy/replay', async ({ body }) => {
    if (!records) throw new AdminError(409, 'Calls are not recorded, so none can be replayed.');
    const { policy, since } = read(REPLAY, body);
    const settings = readPolicy(gateway, policy);
    return replayCalls(gateway, await records.list({ since }, MAX_REPLAYED), settings);
  });

  function reloaded<T extends { readonly isSaved: boolean }>(change: T): T {
    if (change.isSaved) void reloader.look();
    return change;
  }
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AdminError(400, `${issue?.path.join('.') || 'The request'}: ${issue?.message ?? ''}`);
}
