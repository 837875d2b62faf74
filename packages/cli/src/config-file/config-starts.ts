/** What a configuration starts, reaches and reads, for the person who is asked whether it may. */

import {
  expandVariables,
  isRecord,
  secretsIn,
  shownSetting,
  startOf,
  summaryOf,
} from '@callsign/config';
import type { WrittenEntry } from '@callsign/config';
import { loadsCode } from '@callsign/gateway/host';
import { hanging, onOneLine } from '@callsign/terminal';

import { documentIn, entriesIn } from './config-text.js';

/** Each as lines without control characters. No line has the value of a secret or of a variable. */
export interface ConfigReach {
  /** Commands, addresses, folders and code. */
  readonly starts: readonly string[];
  /** Settings that open or reach something: addresses, folders, issuers, databases. */
  readonly settings: readonly string[];
  /** Every variable of the file, with the place that gets its value. */
  readonly variables: readonly { readonly name: string; readonly to: string }[];
}

type Path = readonly (string | number)[];

/** A value of the file that is neither an object nor a list. */
interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

/**
 * Settings that only name, label, limit or refuse. Settings that are not here are shown, so that a new
 * one is never forgotten.
 */
const HARMLESS: ReadonlySet<string> = new Set(
  `access aliases annotate annotations breaker clientKey dropUnavailable limits listOnceWaitMs
  listWaitMs lock metrics pattern policy profile profiles quarantine quota remember renamed restart
  retry roles sets titles tools view`.split(/\s+/),
);
/** Settings of one server that only name, label, limit or refuse. */
const HARMLESS_OF_SERVER: ReadonlySet<string> = new Set(
  `assume callTimeoutMs displayName era instructions placement quota startTimeoutMs trust
  view`.split(/\s+/),
);

/** Walks the whole file, so that no setting can carry a variable unseen. */
export function reachOf(text: string, file: string): ConfigReach {
  const document = documentIn(text, file);
  const entries = entriesIn(text, file);
  const { callsign } = document;
  const { modules, stores } = isRecord(callsign) ? callsign : {};
  const sections = new Set<string>(entries.map(({ section }) => section));
  const others = leavesOf(document).filter(({ path: [top = ''] }) => !sections.has(String(top)));
  return {
    starts: [
      ...entries.flatMap(({ key, entry }) => entryStarts(key, entry)),
      ...codeIn('module', modules),
      ...codeIn('store', stores),
    ].map(onOneLine),
    settings: others.filter(isTelling).map((leaf) => onOneLine(settingLine(leaf))),
    variables: [
      ...entries.flatMap(({ key, entry }) => variablesOf(key, entry)),
      ...others.flatMap((leaf) => variablesTo(leaf.value, `the setting ${settingLine(leaf)}`)),
      ...inheritedIn(callsign),
    ].map(({ name, to }) => ({ name: onOneLine(name), to: onOneLine(to) })),
  };
}

/** For a terminal of this width. A long line goes on with an indent, so it cannot look like two. */
export function reachLines(
  { starts, settings, variables }: ConfigReach,
  columns: number,
): string[] {
  const parts = [
    ['Its settings:', settings],
    ['Where its variables go:', variables.map(({ name, to }) => `${name} → ${to}`)],
  ] as const;
  const lines = (all: readonly string[]): string[] =>
    all.map((line) => hanging(line, columns, '    '));
  return [
    ...lines(starts),
    ...parts.flatMap(([heading, all]) =>
      all.length === 0 ? [] : [heading, ...lines(all.map((line) => `  ${line}`))],
    ),
  ];
}

/** What one server starts or connects to. */
export function entryStarts(key: string, entry: WrittenEntry): string[] {
  const { command, cwd } = entry;
  const { env } = isRecord(command) ? command : entry;
  const loading = Object.keys(isRecord(env) ? env : {}).filter(loadsCode);
  const name = keyText(key);
  return [
    `${name}: ${startOf(entry)}`,
    ...(typeof cwd === 'string' ? [`${name}: in the folder ${cwd}`] : []),
    ...(loading.length > 0 ? [`${name}: with ${loading.join(', ')}, which can load code`] : []),
  ];
}

/** Where the variables of one server go. */
export function variablesOf(key: string, entry: WrittenEntry): ConfigReach['variables'] {
  const name = keyText(key);
  return leavesOf(entry).flatMap(({ path, value }) => {
    const field = path.at(-2);
    const last = keyText(String(path.at(-1)));
    if (field === 'headers')
      return variablesTo(value, `header ${last} of ${name}, sent to ${startOf(entry)}`);
    if (field === 'env') return variablesTo(value, `variable ${last} of the process of ${name}`);
    const place = `${pathText(path)} of ${name}`;
    return variablesTo(
      value,
      summaryOf(entry).url === undefined ? place : `${place}: ${startOf(entry)}`,
    );
  });
}

function codeIn(what: string, list: unknown): string[] {
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.map((each) => `${what}: ${String(isRecord(each) ? each['use'] : each)}`);
}

/** Names of variables that a server gets from our own environment. */
function inheritedIn(callsign: unknown): ConfigReach['variables'] {
  const servers = isRecord(callsign) ? callsign['servers'] : undefined;
  return Object.entries(isRecord(servers) ? servers : {}).flatMap(([key, settings]) => {
    const inherited = isRecord(settings) ? settings['inheritEnv'] : undefined;
    const names = Array.isArray(inherited) ? inherited.map(String) : [];
    const all = inherited === true ? ['every variable of your environment'] : names;
    const to = key === '*' ? 'the process of every server' : `the process of ${keyText(key)}`;
    return all.map((name) => ({ name, to }));
  });
}

function variablesTo(value: unknown, to: string): ConfigReach['variables'] {
  return typeof value === 'string' ? variablesIn(value).map((name) => ({ name, to })) : [];
}

function variablesIn(text: string): readonly string[] {
  const names = new Set<string>(secretsIn(text));
  // Without an environment, each variable is missing or has its default.
  const { faults } = expandVariables(text, {}, { onValue: (name) => names.add(name) });
  for (const { kind, name } of faults) if (kind === 'missing') names.add(name);
  return [...names];
}

function isTelling({ path: [top, section = '', server, setting] }: Leaf): boolean {
  if (top !== 'callsign' || HARMLESS.has(String(section))) return false;
  // These are shown as code that is loaded.
  if (section === 'modules' || section === 'stores')
    return setting !== 'use' && setting !== undefined;
  if (section !== 'servers') return true;
  return server !== undefined && !HARMLESS_OF_SERVER.has(String(setting));
}

function settingLine({ path, value }: Leaf): string {
  const name = path.findLast((part) => typeof part === 'string') ?? '';
  return `${pathText(path)}: ${shownSetting(name, value)}`;
}

function leavesOf(value: unknown, path: Path = []): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((each, i) => leavesOf(each, [...path, i]));
  if (!isRecord(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

function pathText(path: Path): string {
  return path
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!isPlain(part)) return `[${JSON.stringify(part)}]`;
      return i === 0 ? part : `.${part}`;
    })
    .join('');
}

/** A key in quotes, unless it is a plain word: it must not look like the rest of a line. */
function keyText(key: string): string {
  return isPlain(key) ? key : JSON.stringify(key);
}

function isPlain(key: string): boolean {
  return /^[\w@./-]+$/.test(key);
}
