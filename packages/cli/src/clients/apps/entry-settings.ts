/** The fields of a client's entry that Callsign keeps as settings, outside of the entry. */

import { isRecord, LONGEST_TIMER_MS, withoutToolLists, type WrittenEntry } from '@callsign/config';

/** The settings, and the fields that Callsign cannot keep. */
export interface EntrySettings {
  /** For `callsign.servers.KEY`. */
  readonly settings: WrittenEntry;
  /** Names of fields that are lost. */
  readonly lost: readonly string[];
}

/** The fields of Codex. The first one that is set wins. */
const START_LIMITS = [
  ['startup_timeout_sec', 1000],
  ['startup_timeout_ms', 1],
] as const;
const CALL_LIMITS = [['tool_timeout_sec', 1000]] as const;
/** Says only that the client signs in, as we do without being told. */
const DEFAULTS = ['oauth.enabled'];

/** Fields that `translateEntry` reads, or that change nothing in how a server runs. */
const READ: ReadonlySet<string> = new Set([
  // Where it is and how it starts.
  'args',
  'command',
  'cwd',
  'env',
  'env_vars',
  'httpUrl',
  'serverUrl',
  'type',
  'url',
  // What is sent to it.
  'bearer_token_env_var',
  'env_http_headers',
  'headers',
  'http_headers',
  // Whether it is switched on.
  'disabled',
  'enabled',
  // Each has a note of its own.
  'envFile',
  'headersHelper',
  // What people read.
  'description',
  'extensionName',
  'gallery',
  'icon',
  'name',
  'source',
  'version',
  // How a client signs in.
  'auth',
  'oauth',
  'oauth_resource',
  'scopes',
]);

/** `callLimit`: the field of this client that limits a call, in milliseconds. */
export function entrySettings(entry: WrittenEntry, callLimit?: string): EntrySettings {
  const callLimits = [
    ...CALL_LIMITS,
    ...(callLimit === undefined ? [] : [[callLimit, 1] as const]),
  ];
  const limits: readonly (readonly [string, number])[] = [...START_LIMITS, ...callLimits];
  const start = limitIn(entry, START_LIMITS);
  const call = limitIn(entry, callLimits);
  const others = Object.keys(withoutToolLists(entry)).filter(
    (field) =>
      !READ.has(field) && limits.every(([name]) => name !== field) && saysAnything(entry[field]),
  );
  const { oauth, lost } = signIn(entry);
  const settings = {
    ...(start.ms === undefined ? {} : { startTimeoutMs: start.ms }),
    ...(call.ms === undefined ? {} : { callTimeoutMs: call.ms }),
    ...(Object.keys(oauth).length > 0 ? { oauth } : {}),
  };
  return { settings, lost: [...start.lost, ...call.lost, ...lost, ...others] };
}

/** `false` and an empty list are what a client does without the field. */
function saysAnything(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function limitIn(
  entry: WrittenEntry,
  fields: readonly (readonly [string, number])[],
): { readonly ms?: number; readonly lost: readonly string[] } {
  const [field, unit] = fields.find(([name]) => entry[name] !== undefined) ?? [];
  if (field === undefined || unit === undefined) return { lost: [] };
  const written = entry[field];
  const ms = typeof written === 'number' ? Math.ceil(written * unit) : 0;
  return ms >= 1 && ms <= LONGEST_TIMER_MS ? { ms, lost: [] } : { lost: [field] };
}

/**
 * Codex, Claude Code and Gemini write `oauth`; Cursor writes `auth`. A client id that has a secret
 * is lost with it: we send a secret only to the issuer that it belongs to, which no client names.
 */
function signIn(entry: WrittenEntry): { oauth: WrittenEntry; lost: readonly string[] } {
  const given = new Map<string, unknown>();
  for (const block of ['oauth', 'auth']) {
    const fields = entry[block];
    if (!isRecord(fields)) continue;
    for (const [name, value] of Object.entries(fields)) given.set(`${block}.${name}`, value);
  }
  for (const field of ['scopes', 'oauth_resource']) {
    if (entry[field] !== undefined) given.set(field, entry[field]);
  }
  const hasSecret = [...given.keys()].some((field) => wordOf(field) === 'clientsecret');
  const oauth: Record<string, string> = {};
  const lost: string[] = [];
  for (const [field, value] of given) {
    const word = wordOf(field);
    const scope = word === 'scopes' || word === 'scope' ? scopeIn(value) : undefined;
    const isId = word === 'clientid' && !hasSecret && typeof value === 'string' && value !== '';
    if (scope !== undefined) oauth['scope'] = scope;
    else if (isId) oauth['clientId'] = value;
    else if (!DEFAULTS.includes(field)) lost.push(field);
  }
  return { oauth, lost };
}

/** The name without its block and its spelling: `oauth.client_id` and `auth.CLIENT_ID` are one. */
function wordOf(field: string): string {
  return field.replace(/^.*\./, '').replaceAll('_', '').toLowerCase();
}

function scopeIn(value: unknown): string | undefined {
  const scope = Array.isArray(value) ? value.map(String).join(' ') : value;
  return typeof scope === 'string' && scope !== '' ? scope : undefined;
}
