/** Everything that the linters say of one server's tools. */

import { lintAnnotations } from '@callsign/annotations';
import { lintNames, profileById, type ClientProfile } from '@callsign/naming';

export interface LintFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly tool: string;
  readonly message: string;
  readonly fix: string;
  /** Who acts on it, where it is not everybody. */
  readonly clients?: readonly string[];
  readonly audiences?: readonly string[];
}

export interface LintOptions {
  /** The one client that matters. */
  readonly client?: string | undefined;
  /** The key under which clients know the server, where it is known. */
  readonly key?: string | undefined;
}

export function lintTools(
  tools: readonly unknown[],
  { client, key }: LintOptions = {},
): LintFinding[] {
  const clients: readonly ClientProfile[] | undefined =
    client === undefined ? undefined : [profileById(client)];
  const names = lintNames(tools, { ...(clients ? { clients } : {}), ...(key ? { key } : {}) });
  const all: LintFinding[] = [...names, ...lintAnnotations(tools)];
  return client === undefined ? all : all.filter((finding) => concerns(finding, client));
}

function concerns({ clients, audiences }: LintFinding, client: string): boolean {
  if (clients === undefined && audiences === undefined) return true;
  return clients?.includes(client) === true;
}
