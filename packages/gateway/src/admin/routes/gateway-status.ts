/** The status of a gateway, for its operator and for health checks. */

import type { AuditStatus } from '@callsign/audit';

import type { Gateway } from '../../gateway/gateway.js';
import type { ConfigStatus } from '../../gateway/reloader.js';
import type { ServerStatus } from '../../servers/server-status.js';

/** The answer to a health check. */
export interface Health {
  readonly status: 'ok';
  readonly version: string;
  readonly config: ConfigStatus;
  readonly servers: readonly ServerStatus[];
  readonly audit?: AuditStatus;
}

/** A client, as it announced itself. */
export interface ConnectedClient {
  readonly name: string;
  readonly version: string;
}

/** The status for the operator, with details that a health check does not show. */
export interface GatewayStatus extends Health {
  /** When it started, as ISO text. */
  readonly startedAt: string;
  /** The address of the HTTP listener, if there is one. */
  readonly url?: string;
  /** Clients with a session. */
  readonly clients: readonly ConnectedClient[];
  /** The ids of calls that wait for an approval, and their tools. */
  readonly waiting: readonly { readonly id: string; readonly tool: string }[];
}

export interface StatusParts {
  readonly version: string;
  readonly config: ConfigStatus;
  readonly startedAt: string;
  readonly url: string | undefined;
  readonly clients: readonly ConnectedClient[];
}

/** The answer of `/healthz`, which needs no credential. */
export function healthOf(
  gateway: Gateway,
  { version, config }: Pick<StatusParts, 'config' | 'version'>,
): Health {
  const audit = gateway.audit.status();
  const servers = gateway.status();
  return { status: 'ok', version, config, servers, ...(audit ? { audit } : {}) };
}

/** The answer to `callsign status`. */
export function statusOf(gateway: Gateway, parts: StatusParts): GatewayStatus {
  const { startedAt, url, clients } = parts;
  const waiting = gateway.approvals.pending.map(({ id, tool }) => ({ id, tool }));
  const address = url === undefined ? {} : { url };
  return { ...healthOf(gateway, parts), startedAt, ...address, clients, waiting };
}
