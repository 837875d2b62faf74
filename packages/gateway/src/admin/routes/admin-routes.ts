/** The admin API of a gateway: every path, and the function that answers it. */

import { isRecord, withValue } from '@callsign/config';
import { RISKS, type Risk } from '@callsign/effects';
import type { LockMode } from '@callsign/governance';
import * as z from 'zod';

import type { Gateway } from '../../gateway/gateway.js';
import type { Reloader } from '../../gateway/reloader.js';
import type { ConfigChange } from '../data/admin-data.js';
import type { AdminRouter } from '../router/admin-router.js';
import { withLabels } from '../tool/accepted-labels.js';
import { acceptTools, showLock } from './admin-lock.js';
import { listClients, showClient } from './admin-names.js';
import { changePolicy, proposePolicy, readPolicy, showPolicy } from './admin-policy.js';
import { listServers, showStatus } from './admin-servers.js';
import { decideTool, listSets, listTools, requireTool, showTool } from './admin-tools.js';
import { serveApprovals } from './approval-routes.js';
import { serveCalls } from './call-routes.js';
import { changeConfig, type ChangeRequest, type WriteConfig } from './config-change.js';
import type { GatewayStatus } from './gateway-status.js';
import { listInstances } from './instance-list.js';
import { LiveFeed } from './live-feed.js';
import { replayPolicy } from './policy-replay.js';
import { hasPeople, servePeople } from './people-routes.js';
import { serveRecords } from './record-routes.js';
import { RecordedCalls } from './recorded-calls.js';
import { CHANGE, isObjectText, readBody } from './request-body.js';
import { serveServerChanges } from './server-changes.js';
import { serveServers } from './server-routes.js';
import { serveSignIn } from './server-sign-in.js';
import { tryTool } from './try-tool.js';

/** What the API reads and changes. */
export interface AdminRoutesOptions {
  readonly gateway: Gateway;
  readonly reloader: Pick<Reloader, 'look' | 'lookIfChanged' | 'status'>;
  readonly status: () => GatewayStatus;
  /**
   * Writes a changed configuration. The command passes one that keeps the file accepted. Default:
   * replaces it.
   */
  readonly write?: WriteConfig;
}

const LOCK_MODES = ['off', 'warn', 'enforce'] as const satisfies readonly LockMode[];
const LABEL = z.lazy(() =>
  z.strictObject({ risk: z.enum(RISKS as readonly [Risk, ...Risk[]]), ...CHANGE }),
);
const POLICY = z.lazy(() => z.strictObject({ policy: z.string(), ...CHANGE }));
const REPLAY = z.lazy(() => z.strictObject({ policy: z.string(), since: z.iso.datetime() }));
const LOCK = z.lazy(() => z.strictObject({ mode: z.enum(LOCK_MODES), ...CHANGE }));
const ACCEPT = z.lazy(() => z.strictObject({ tool: z.exactOptional(z.string()) }));
/** Any object: a record of zod would drop an argument with the name `__proto__`. */
const CALL = z.lazy(() =>
  z.strictObject({
    arguments: z.union(
      [z.custom<object>(isRecord), z.string().refine(isObjectText)],
      'it must be an object, or the JSON text of one',
    ),
  }),
);

/**
 * What `serveAdminApi` started. Close it when the gateway stops: it may hold a thread that reads
 * records.
 */
export interface AdminApi {
  /** Ends the threads of the API. */
  close(): Promise<void>;
}

/** Adds all paths to the router. Each path of docs/admin-api.md is added here or by a `serve…`. */
export function serveAdminApi(router: AdminRouter, options: AdminRoutesOptions): AdminApi {
  const { gateway, reloader, status, write } = options;
  const recorded = new RecordedCalls(gateway);
  const overview = () =>
    showStatus(gateway, {
      config: reloader.status,
      hasRecords: recorded.isOn,
      hasPeople: hasPeople(gateway),
    });
  serveRecords(router, recorded);
  serveApprovals(router, gateway.shared.queue);
  serveCalls(router, gateway);
  servePeople(router, gateway);
  serveServers(router, gateway);
  router.on('GET', '/status', status);
  router.on('POST', '/reload', ({ query }) =>
    query.has('changed') ? reloader.lookIfChanged() : reloader.look(),
  );
  router.on('GET', '/gateways', async () => [(await router.answer('GET', '/', undefined)).body]);
  const feed = new LiveFeed(gateway, overview, recorded);
  router.on('GET', '/events', () => feed.events());
  router.on('GET', '/overview', overview);
  router.on('GET', '/instances', () => listInstances(gateway));
  router.on('GET', '/servers', () => listServers(gateway));
  serveServerChanges(router, gateway, apply);
  serveSignIn(router, gateway);

  router.on('GET', '/tools', () => listTools(gateway));
  router.on('GET', '/tools/:name', ({ params }) => showTool(gateway, params.get('name')!));
  router.on('GET', '/tools/:name/decision', ({ params, query }) =>
    decideTool(gateway, params.get('name')!, {
      client: query.get('client') ?? '',
      role: query.get('role') ?? undefined,
    }),
  );
  router.on('POST', '/tools/:name/label', ({ params, body }) => {
    const { risk, ...request } = readBody(LABEL, body);
    const entry = requireTool(gateway, params.get('name')!);
    const edit = (text: string): string => withLabels(text, [{ entry, risk }]);
    return apply(edit, request);
  });
  router.on('POST', '/tools/:name/call', ({ params, body, caller, signal }) => {
    const { arguments: args } = readBody(CALL, body);
    const request = {
      name: params.get('name')!,
      args: typeof args === 'string' ? args : JSON.stringify(args),
      caller,
    };
    return tryTool(gateway, request, signal);
  });

  router.on('GET', '/sets', () => listSets(gateway));

  router.on('GET', '/names', () => listClients(gateway));
  router.on('GET', '/names/:profile', ({ params }) => showClient(gateway, params.get('profile')!));

  router.on('GET', '/lock', () => showLock(gateway));
  router.on('POST', '/lock', ({ body }) => {
    const { mode, ...request } = readBody(LOCK, body);
    return apply((text) => withValue(text, ['callsign', 'lock'], mode), request);
  });
  router.on('POST', '/lock/:server', ({ params, body }) => {
    const { tool } = readBody(ACCEPT, body ?? {});
    return acceptTools(gateway, params.get('server')!, tool);
  });

  router.on('GET', '/policy', () => showPolicy(gateway));
  router.on('POST', '/policy', ({ body }) => {
    const { policy, ...request } = readBody(POLICY, body);
    if (!request.save) return proposePolicy(gateway, policy);
    return reloaded(changePolicy(gateway, policy, { ...request, write }));
  });

  router.on('POST', '/policy/replay', async ({ body }) => {
    const { policy, since } = readBody(REPLAY, body);
    return replayPolicy(gateway, recorded, { settings: await readPolicy(gateway, policy), since });
  });

  function apply(edit: (text: string) => string, request: ChangeRequest): Promise<ConfigChange> {
    return reloaded(changeConfig(gateway.config.file, edit, { ...request, write }));
  }

  /** Resolves when the change is in use. */
  async function reloaded<T extends { readonly isSaved: boolean }>(saving: Promise<T>): Promise<T> {
    const change = await saving;
    if (change.isSaved) await reloader.look();
    return change;
  }

  return { close: () => recorded.close() };
}
