/** Reads the key `callsign`: checked, with defaults, and presets replaced by their hints. */

import {
  checkValue,
  isRecord,
  memberOf,
  type ProblemLog,
  WITHOUT_COMPILING,
} from '@callsign/config';
import { PRESETS } from '@callsign/effects';
import { logRoleProblems, logSetProblems, policyFrom } from '@callsign/governance';
import { displayName } from '@callsign/naming';
import { getNodeValue, type Node } from 'jsonc-parser';

import defaults from './default-settings.json' with { type: 'json' };
import type { WrittenOverride } from './label-settings.js';
import { logNamingProblems } from './naming-problems.js';
import { ALL_SERVERS, logReferenceProblems } from './reference-problems.js';
import {
  type AnnotationOverride,
  SERVER_SETTINGS,
  type ServerSettings,
  SETTINGS,
  type Settings,
  type WrittenServerSettings,
  type WrittenSettings,
} from './settings.js';

/** What the schemas return for `{}`. A plain file starts without them: they take time to build. */
const DEFAULTS = defaults as {
  readonly settings: WrittenSettings;
  readonly server: WrittenServerSettings;
};

/** The result is usable even if the log has problems; see `readSettings`. */
export interface ReadSettings {
  readonly settings: Settings;
  /** The settings of one server: its own, then those under "*", then the defaults. */
  readonly settingsOf: (server: string) => ServerSettings;
}

/** Settings with problems are replaced by defaults, so that the servers can still be checked. */
export function readSettings(
  node: Node | undefined,
  serverKeys: ReadonlySet<string>,
  log: ProblemLog,
): ReadSettings {
  const written = node && checkSettings(node, log);
  const { servers: _, annotations, policy, ...settings } = written ?? DEFAULTS.settings;
  const stated = written ? statedServers(node) : {};
  if (node) {
    logNamingProblems(node, log);
    logReferenceProblems(node, serverKeys, log);
    logRoleProblems(node, log);
    logSetProblems(node, log);
    logStorageProblems(node, log);
  }
  const overrides = Object.entries(annotations).map(([glob, said]) => toOverride(glob, said));
  return {
    settings: {
      ...settings,
      annotations: overrides,
      ...(policy === undefined ? {} : { policy: policyFrom(policy) }),
    },
    settingsOf(key) {
      const own = Object.hasOwn(stated, key) ? stated[key] : undefined;
      const all = stated[ALL_SERVERS];
      const said =
        own || all ? SERVER_SETTINGS.parse({ ...all, ...own }, WITHOUT_COMPILING) : undefined;
      return toServerSettings(key, said ?? DEFAULTS.server);
    },
  };
}

/** A start builds the schemas of the members that are there. All are needed only to say what is wrong. */
function checkSettings(node: Node, log: ProblemLog): WrittenSettings | undefined {
  const value: unknown = getNodeValue(node);
  return parseMembers(value) ?? checkValue(SETTINGS, value, node, log);
}

/** `undefined`: something does not fit. */
function parseMembers(value: unknown): WrittenSettings | undefined {
  const whole = SETTINGS.unwrap();
  const keys = isRecord(value) ? Object.keys(value) : [];
  if (!keys.every((key) => Object.hasOwn(whole.shape, key))) return undefined;
  const members = Object.fromEntries(keys.map((key) => [key, true])) as Record<never, true>;
  const { data } = whole.pick(members).safeParse(value, WITHOUT_COMPILING);
  return data && { ...DEFAULTS.settings, ...data };
}

/** Settings as written, without defaults. Defaults of one server would override what "*" states. */
function statedServers(node: Node | undefined): Readonly<Record<string, object>> {
  const { servers = {} } = (node ? getNodeValue(node) : {}) as { servers?: Record<string, object> };
  return servers;
}

function toOverride(glob: string, said: WrittenOverride): AnnotationOverride {
  const { preset, title, accepted, ...stated } = said;
  return {
    glob,
    hints: { ...(preset && PRESETS[preset]), ...stated },
    ...(accepted === undefined ? {} : { accepted }),
    ...(title === undefined ? {} : { title }),
  };
}

function toServerSettings(key: string, said: WrittenServerSettings): ServerSettings {
  const { assume, displayName: given, ...settings } = said;
  const named = { displayName: displayName(key, given), ...settings };
  if (assume === undefined) return named;
  return { ...named, assume: typeof assume === 'string' ? PRESETS[assume] : assume };
}

/** Reports settings that need the database of `storage`, in a file that has none. */
function logStorageProblems(settings: Node, log: ProblemLog): void {
  const storage = memberOf(settings, 'storage')?.value;
  const instances = memberOf(settings, 'instances');
  if (instances && !storage) {
    const advice =
      'add the database that the instances share, such as "storage": { "postgres": "${DATABASE_URL}" }, or remove "instances"; see docs/many-instances.md';
    log.problem('wrong-value', instances.keyNode, 'needs "storage"', advice);
  }
  const shared = memberOf(memberOf(settings, 'auth')?.value, 'sharedKeys');
  if (shared?.value.value !== true || memberOf(storage, 'secrets')) return;
  const advice = 'add them, such as "secrets": ["${CALLSIGN_STORAGE_SECRET}"]; see docs/access.md';
  log.problem('wrong-value', shared.value, 'needs "storage" with "secrets"', advice);
}
