/** Parses a configuration: the checked configuration, or all its problems at once. */

import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';

import {
  createProblemLog,
  isListedOff,
  isRecord,
  memberOf,
  parseDocument,
  positionsIn,
  type Environment,
  type Member,
  type Problem,
  type ProblemLog,
  type Secrets,
} from '@callsign/config';
import { withoutBom } from '@callsign/core';
import { configuredKeyProblem } from '@callsign/naming';
import { getNodeValue, type Node } from 'jsonc-parser';

import type {
  ConfigResult,
  GatewayConfig,
  MisnamedServer,
  UnavailableServer,
} from './gateway-config.js';
import { logProblemsBelow, logReserved, logTwins } from './key-problems.js';
import { readServer } from './read-server.js';
import { readSettings } from './read-settings.js';
import type { ServerConfig } from './server-config.js';
import { SWITCHED_OFF, ENTRY_FIELDS } from './server-entry.js';
import { readSections } from './server-sections.js';

/** What parsing depends on, besides the text. */
export interface ParseOptions {
  /** The path of the file, for problems and for relative folders. Nothing is read from it. */
  readonly file: string;
  /** The environment variables that replace `${VAR}`. */
  readonly env: Environment;
  /** The secrets that replace `${keychain:NAME}` and `${file:PATH}`. Default: they are not judged. */
  readonly secrets?: Secrets | undefined;
  /** A bad entry makes one server unavailable, as long as another one is left. */
  readonly isLenient?: boolean;
}

/**
 * Problems of the settings always fail. Problems of a server entry fail too, unless the parse is lenient
 * and another server is left: they are warnings then, and the server is unavailable.
 */
export function parseConfig(text: string, options: ParseOptions): ConfigResult {
  const source = withoutBom(text);
  const positions = positionsIn(source);
  const newLog = (): ProblemLog => createProblemLog(options.file, source, positions);
  const log = newLog();
  const root = parseDocument(source, log);
  const read = root && readConfig(root, source, options, { log, newLog });
  const own = log.problems();
  if (read === undefined) return { ok: false, problems: own };
  const { config, faults } = read;
  const warnings = [...log.warnings(), ...faults.flatMap((fault) => fault.log.warnings())];
  const problems = faults.flatMap((fault) => fault.log.problems());
  const isServable = options.isLenient === true && config.servers.length > 0;
  if (own.length > 0 || (problems.length > 0 && !isServable)) {
    return { ok: false, problems: [...own, ...problems].toSorted(byPosition) };
  }
  return {
    ok: true,
    config: withFaults(config, faults),
    warnings: [...warnings, ...problems].toSorted(byPosition),
  };
}

/** Servers with problems. One whose key cannot be used has no place among the others: no name can contain it. */
function withFaults(config: GatewayConfig, faults: readonly Fault[]): GatewayConfig {
  const unavailable: UnavailableServer[] = [];
  const misnamed: MisnamedServer[] = [];
  for (const { key, settings, node, log } of faults) {
    const [first] = log.problems();
    if (!first) continue;
    const reason = `${first.path} ${first.message}: ${first.advice}`;
    const entry: unknown = getNodeValue(node);
    if (configuredKeyProblem(key) === undefined)
      unavailable.push({
        key,
        reason,
        settings,
        ...(isRecord(entry) ? { written: { entry } } : {}),
      });
    else misnamed.push({ shown: JSON.stringify(key), reason });
  }
  return {
    ...config,
    ...(unavailable.length > 0 ? { unavailable } : {}),
    ...(misnamed.length > 0 ? { misnamed } : {}),
  };
}

/** An entry and what is wrong with it, if anything. */
interface Fault extends Pick<UnavailableServer, 'key' | 'settings'> {
  readonly node: Node;
  readonly log: ProblemLog;
}

interface ReadConfig {
  readonly config: GatewayConfig;
  readonly faults: readonly Fault[];
}

function readConfig(
  root: Node,
  text: string,
  { file, env: environment, secrets }: ParseOptions,
  { log, newLog }: { readonly log: ProblemLog; newLog(): ProblemLog },
): ReadConfig {
  const sections = readSections(root, log);
  const keys = new Set(sections.entries.map(({ key }) => key));
  const { settings, settingsOf } = readSettings(sections.settings, keys, log);
  const document: unknown = getNodeValue(root);
  const entries = sections.entries.filter(
    (entry) => isSwitchedOn(entry, log) && !isListedOff(document, entry.key),
  );
  if (entries.length === 0 && keys.size > 0) {
    log.warning('no-servers', root, 'every server in the file is disabled', 'enable one of them');
  }
  const faults: Fault[] = [];
  const servers = entries.flatMap((entry) => {
    // Entries with one key are one server, which is unavailable: it is not clear which of them counts.
    const same = sections.entries.filter(({ key }) => key === entry.key);
    if (faults.some(({ key }) => key === entry.key)) return [];
    const own = newLog();
    const ownSettings = settingsOf(entry.key);
    faults.push({ key: entry.key, settings: ownSettings, node: entry.value, log: own });
    logTwins(same, own);
    logReserved(entry, own);
    logProblemsBelow(entry.value, own);
    const server = readServer(entry, ownSettings, { text, environment, secrets, log: own });
    return server && own.problems().length === 0 ? inFolder(server, dirname(file)) : [];
  });
  const fingerprints = (folder: string): Record<string, string> =>
    Object.fromEntries(entries.map(({ key, value }) => [key, entryFingerprint(value, folder)]));
  const written = fingerprints(dirname(file));
  const config = { file, servers, settings, written, entries: fingerprints('') };
  return { config: secrets?.size ? { ...config, secrets } : config, faults };
}

function byPosition(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column;
}

/** Disabled servers are not checked: their variables may be unset. */
function isSwitchedOn({ keyNode, value }: Member, log: ProblemLog): boolean {
  const off = SWITCHED_OFF.find(([field, word]) => memberOf(value, field)?.value.value === word);
  if (off?.[0] === 'source') {
    const advice = 'to serve it, write its "command" here';
    log.warning('unsupported', keyNode, 'is provided by an extension of the editor', advice);
  }
  return off === undefined;
}

/** A relative working folder starts at the file's folder. */
function inFolder(server: ServerConfig, folder: string): ServerConfig {
  if (server.transport !== 'stdio' || server.cwd === undefined) return server;
  return { ...server, cwd: resolve(folder, server.cwd) };
}

/** Covers the fields that say how the server runs. `folder`: where relative paths start. */
function entryFingerprint(entry: Node, folder: string): string {
  const value: unknown = getNodeValue(entry);
  const fields = isRecord(value) ? ENTRY_FIELDS.map((field) => [field, value[field]]) : [];
  return createHash('sha256')
    .update(JSON.stringify([folder, fields]))
    .digest('hex');
}
