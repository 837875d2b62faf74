/** Parses a configuration: the checked configuration, or all its problems at once. */

import { dirname, resolve } from 'node:path';

import type { Node } from 'jsonc-parser';

import type { ConfigResult, GatewayConfig } from './gateway-config.js';
import { parseDocument } from '@callsign/config';
import { type Member, memberOf } from '@callsign/config';
import { createProblemLog, type ProblemLog } from '@callsign/config';
import { readServer } from './read-server.js';
import type { ServerConfig } from './server-config.js';
import { readSettings } from './read-settings.js';
import { SWITCHED_OFF } from './server-entry.js';
import { readSections } from './server-sections.js';
import type { Environment } from './variables.js';

export interface ParseOptions {
  /** The file name in problems. */
  readonly file: string;
  /** The variables. */
  readonly env: Environment;
}

export function parseConfig(text: string, { file, env }: ParseOptions): ConfigResult {
  const source = text.replace(/^\uFEFF/, '');
  const log = createProblemLog(file, source);
  const root = parseDocument(source, log);
  const config = root && readConfig(root, source, { file, env }, log);
  if (config === undefined || log.problems().length > 0) {
    return { ok: false, problems: log.problems() };
  }
  return { ok: true, config, warnings: log.warnings() };
}

function readConfig(
  root: Node,
  text: string,
  { file, env: environment }: ParseOptions,
  log: ProblemLog,
): GatewayConfig {
  const sections = readSections(root, log);
  const keys = new Set(sections.entries.map(({ key }) => key));
  const { settings, settingsOf } = readSettings(sections.settings, keys, log);
  const entries = sections.entries.filter((entry) => isSwitchedOn(entry, log));
  if (entries.length === 0) {
    log.warning('no-servers', root, 'every server of the file is switched off', 'switch one on');
  }
  const context = { text, environment, log };
  const servers = entries.flatMap(
    (entry) => readServer(entry, settingsOf(entry.key), context) ?? [],
  );
  return { file, servers: servers.map((server) => inFolder(server, dirname(file))), settings };
}

/** Disabled servers are not checked: their variables may be unset. */
function isSwitchedOn({ keyNode, value }: Member, log: ProblemLog): boolean {
  const off = SWITCHED_OFF.find(([field, word]) => memberOf(value, field)?.value.value === word);
  if (off?.[0] === 'source') {
    const advice = 'write its "command" here to have it served';
    log.warning('unsupported', keyNode, 'comes from an extension of the editor', advice);
  }
  return off === undefined;
}

/** A relative working folder starts at the file's folder. */
function inFolder(server: ServerConfig, folder: string): ServerConfig {
  if (server.transport !== 'stdio' || server.cwd === undefined) return server;
  return { ...server, cwd: resolve(folder, server.cwd) };
}
