/** The servers of a running gateway as plain data, and the warnings for its operator. */

import { readFileSync } from 'node:fs';

import { isRecord, placedEntries, readJson, shownAddress } from '@callsign/config';
import { visibleLine } from '@callsign/core';
import { countLabels } from '@callsign/effects';
import { judgedKind, judgedOwnName, type JudgedKind } from '@callsign/governance';
import type { ToolRef } from '@callsign/naming';

import { hasOwnCredential, type ServerConfig } from '../../config/server-config.js';
import type { Gateway } from '../../gateway/gateway.js';
import type { ConfigStatus } from '../../gateway/reloader.js';
import { redactorOf } from '../../servers/server-redactor.js';
import { reasonIn } from '../../servers/server-status.js';
import type { ServerData, StatusData, WarningData } from '../data/admin-data.js';
import { inTurns } from '../router/in-turns.js';

const MAX_REASON = 500;
const MAX_NAME = 150;

export interface StatusFacts {
  readonly config: ConfigStatus;
  readonly hasRecords: boolean;
  readonly hasPeople: boolean;
}

export async function showStatus(
  gateway: Gateway,
  { config, hasRecords, hasPeople }: StatusFacts,
): Promise<StatusData> {
  // Labels are computed on first read. Reading them in turns keeps calls from waiting.
  await inTurns(gateway.hub.entries('tool').values(), ({ contradiction }) => contradiction);
  const servers = listServers(gateway);
  return {
    servers,
    warnings: warningsIn(gateway, servers, config),
    modules: gateway.modules,
    tools: gateway.hub.entries('tool').size,
    hasRecords,
    hasPeople,
  };
}

export function listServers(gateway: Gateway): ServerData[] {
  const configs = new Map(gateway.config.servers.map((server) => [server.key, server]));
  const running = gateway
    .status()
    .map(({ key, state, tools, restarts, processes, sandbox }): ServerData => {
      const config = configs.get(key);
      const said = reasonIn(state);
      const reason = said === undefined ? undefined : visibleLine(said, MAX_REASON);
      const since = gateway.servers.since(key);
      return {
        key,
        displayName: config?.settings.displayName ?? key,
        state: state.is,
        ...(reason === undefined ? {} : { reason }),
        ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
        restarts,
        tools,
        ...(processes ? { processes } : {}),
        ...(sandbox ? { sandbox } : {}),
        ...(config ? described(config) : {}),
        ...adviceFor(key, config, state.is, reason),
      };
    });
  return [...running, ...disabledServers(gateway.config)];
}

/** Disabled servers are only in the file, which is read once for each configuration. */
const disabled = new WeakMap<Gateway['config'], readonly ServerData[]>();

function disabledServers(config: Gateway['config']): readonly ServerData[] {
  const known = disabled.get(config);
  if (known) return known;
  const found = readDisabled(config.file);
  disabled.set(config, found);
  return found;
}

function readDisabled(file: string): readonly ServerData[] {
  let document: unknown;
  try {
    document = readJson(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
  return placedEntries(isRecord(document) ? document : {})
    .filter(({ isOff }) => isOff)
    .map(({ key, entry }) => {
      const address = shownAddress(entry);
      return { key, displayName: key, state: 'disabled', restarts: 0, tools: 0, address };
    });
}

function described(config: ServerConfig): Partial<ServerData> {
  const { transport, settings } = config;
  const entry = config.written?.entry ?? { ...config };
  const address = redactorOf(config)(shownAddress(entry));
  const canSignIn = config.transport !== 'stdio' && !hasOwnCredential(config);
  return { transport, address, trust: settings.trust, view: settings.view, canSignIn };
}

function adviceFor(
  key: string,
  config: ServerConfig | undefined,
  state: ServerData['state'],
  reason: string | undefined,
): Pick<ServerData, 'advice'> {
  if (state !== 'failed' || reason === undefined) return {};
  const isSignIn = /sign in|401|unauthor/i.test(reason);
  if (config && config.transport !== 'stdio' && isSignIn)
    return { advice: `callsign login ${key}` };
  return { advice: 'callsign doctor' };
}

function warningsIn(
  gateway: Gateway,
  servers: readonly ServerData[],
  config: ConfigStatus,
): WarningData[] {
  return [
    ...configWarnings(config),
    ...servers.flatMap(serverWarnings),
    ...auditWarnings(gateway),
    ...noteWarnings(gateway),
    ...labelWarnings(gateway),
  ];
}

function configWarnings(config: ConfigStatus): WarningData[] {
  if (config.ok) return [];
  const [first] = config.problems;
  const detail = first ? `: ${first.path} ${first.message}` : '';
  const text = `The configuration file has problems, so the previous one stays in use${detail}`;
  return [{ about: 'config', isSevere: true, text, link: '/policy' }];
}

function serverWarnings({ key, state, reason = '' }: ServerData): WarningData[] {
  const what = WRONG.get(state);
  const isFine = (state === 'ready' || state === 'asleep') && reason === '';
  if (what === undefined || isFine) return [];
  const link = `/servers/${encodeURIComponent(key)}`;
  return [
    { about: 'server', isSevere: state === 'failed', text: `${key} ${what}: ${reason}`, link },
  ];
}

const WRONG: ReadonlyMap<ServerData['state'], string> = new Map([
  ['failed', 'is down'],
  ['waiting', 'is down and will be restarted'],
  ['asleep', 'is asleep, and its last start failed'],
  ['ready', 'runs, but not everything works'],
]);

function auditWarnings({ audit }: Gateway): WarningData[] {
  const trouble = audit.status()?.trouble;
  if (trouble === undefined) return [];
  const text = `Calls cannot be recorded now: ${trouble}`;
  return [{ about: 'audit', isSevere: true, text, link: '/servers' }];
}

/** Tools that changed since they were accepted, or whose texts are deceptive. */
function noteWarnings({ suspicions }: Gateway): WarningData[] {
  return suspicions.map(({ ref, about, reason, isWithheld }) => {
    const isLock = about === 'changed' || about === 'new';
    const kind = judgedKind(ref.tool);
    const verb = kind === 'instructions' ? 'are' : 'is';
    const text = `${thingText(ref, kind)} ${verb} ${isWithheld ? 'withheld' : 'suspect'}: ${visibleLine(reason, MAX_REASON)}`;
    const link = isLock ? '/lock' : `/tools?q=${encodeURIComponent(ref.tool)}`;
    return { about: isLock ? 'lock' : 'text', isSevere: isWithheld, text, link };
  });
}

function thingText({ server, tool }: ToolRef, kind: JudgedKind): string {
  if (kind === 'tool') return visibleLine(`${server}:${tool}`, MAX_NAME);
  if (kind === 'instructions') return `The instructions of ${visibleLine(server, MAX_NAME)}`;
  return visibleLine(`The ${kind} ${judgedOwnName(tool)} of ${server}`, MAX_NAME);
}

function labelWarnings({ hub }: Gateway): WarningData[] {
  const entries = [...hub.entries('tool').values()];
  const lapsed = entries.filter(({ hasLapsed }) => hasLapsed).length;
  const contradicted = countLabels(entries.filter(({ contradiction }) => contradiction));
  const warnings = contradicted.map(({ server, tools }): WarningData => {
    const text = `${server}: ${tools} ${tools === 1 ? 'tool contradicts its claim' : 'tools contradict their claims'}`;
    const link = `/tools?server=${encodeURIComponent(server)}&ground=contradiction`;
    return { about: 'label', isSevere: false, text, link };
  });
  if (lapsed === 0) return warnings;
  const text = `${lapsed} accepted ${lapsed === 1 ? 'label has' : 'labels have'} expired, because the definition changed`;
  return [...warnings, { about: 'label', isSevere: false, text, link: '/tools?ground=lapsed' }];
}
