/** Completes the last word of a command line. Starts nothing and never fails. */

import { RISKS, TRUSTS } from '@callsign/effects';
import { parseConfig, secretStore, type GatewayConfig } from '@callsign/gateway/host';
import { canonicalName, CLIENT_PRODUCTS, createProfileSet } from '@callsign/naming';
import { Command } from 'commander';

import { CLIENT_APPS } from '../clients/apps/client-app.js';
import { readText } from '../clients/files/text-file.js';
import { findCommand, givenConfig } from '../command/command-line.js';
import type { CommandEntry, Context } from '../command/command.js';
import { configPath } from '../command/config-path.js';
import { entriesIn } from '../config-file/config-text.js';
import { cachedTools } from '../fleet/fleet.js';
import { SCRIPTS } from './scripts.js';

type Kind = 'server' | 'tool' | 'set' | 'client' | 'secret' | 'shell';

/** What kind of word each command takes. */
const WORD_KINDS: ReadonlyMap<string, Kind> = new Map([
  ['get', 'server'],
  ['remove', 'server'],
  ['enable', 'server'],
  ['disable', 'server'],
  ['logs', 'server'],
  ['rename', 'server'],
  ['lint', 'server'],
  ['labels review', 'server'],
  ['labels observe', 'server'],
  ['sandbox suggest', 'server'],
  ['trust', 'server'],
  ['login', 'server'],
  ['logout', 'server'],
  ['lock status', 'server'],
  ['lock diff', 'server'],
  ['lock accept', 'server'],
  ['adapter from-mcp', 'server'],
  ['policy test', 'tool'],
  ['sets show', 'set'],
  ['sets test', 'set'],
  ['call', 'tool'],
  ['tools', 'tool'],
  ['names', 'tool'],
  ['tools show', 'tool'],
  [`import`, 'client'],
  ['install', 'client'],
  ['uninstall', 'client'],
  ['secrets set', 'secret'],
  ['secrets remove', 'secret'],
  ['completion', 'shell'],
]);

/** Flags whose values are fixed words. */
const FLAG_VALUES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['--risk', RISKS],
  ['--transport', ['http', 'sse', 'stdio']],
  ['-t', ['http', 'sse', 'stdio']],
  ['--use', ['npm', 'pypi', 'remote']],
]);

const GLOBAL_FLAGS = ['--config', '--json', '--quiet', '--verbose', '--help'];
/** Names with other characters are not completed: a shell would interpret them. */
const HARMLESS = /^[\w:.@/-]+$/;

/** `words`: the words after `callsign`. The last one is being typed and may be empty. */
export async function complete(words: readonly string[], context: Context): Promise<string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { entry, name } = findCommand(before, context.commands);
  const candidates = await candidatesFor({ current, before, entry, name, context });
  const fitting = candidates.filter((each) => each.startsWith(current) && HARMLESS.test(each));
  return [...new Set(fitting)].toSorted();
}

interface Line {
  readonly current: string;
  readonly before: readonly string[];
  readonly entry: CommandEntry | undefined;
  readonly name: string;
  readonly context: Context;
}

async function candidatesFor(line: Line): Promise<string[]> {
  const { current, before, entry, name, context } = line;
  const flag = before.at(-1) ?? '';
  if (flag === '--profile') return profilesOf(configIn(line));
  if (flag === '--set') return setsIn(line);
  if (flag === '--client') return clientsFor(name);
  const values = FLAG_VALUES.get(flag);
  if (values) return [...values];
  if (flag === '--config' || flag === '-c') return [];
  if (current.startsWith('-')) return [...GLOBAL_FLAGS, ...(await flagsOf(entry))];
  if (name === '') return firstWords(context.commands);
  const actions = actionsOf(name, context.commands);
  return [...actions, ...(await wordsOfKind(WORD_KINDS.get(name), line))];
}

function clientsFor(name: string): string[] {
  const clients = name === 'lint' ? CLIENT_PRODUCTS : CLIENT_APPS;
  return clients.map(({ id }) => id);
}

async function flagsOf(entry: CommandEntry | undefined): Promise<string[]> {
  const load = entry && ('load' in entry ? entry.load : entry.flags);
  if (!load) return [];
  const { command: module } = await load();
  const command = new Command();
  module.describe(command);
  return command.options.flatMap(({ long }) => long ?? []);
}

function firstWords(commands: readonly CommandEntry[]): string[] {
  return commands
    .filter(({ summary }) => summary !== undefined)
    .map(({ name }) => name.split(' ')[0]!);
}

/** The second words of a command that has any. */
function actionsOf(name: string, commands: readonly CommandEntry[]): string[] {
  return commands.flatMap((entry) => {
    const [first, second] = entry.name.split(' ');
    return first === name && second !== undefined ? [second] : [];
  });
}

function fileIn({ before, context }: Line): string {
  const written = givenConfig(before);
  return written === undefined ? context.file : configPath(written, context);
}

/** The configuration; `undefined` if it is missing or broken. */
function configIn(line: Line): GatewayConfig | undefined {
  const file = fileIn(line);
  const { env } = line.context;
  const parsed = parseConfig(readText(file) ?? '', { file, env, isLenient: true });
  return parsed.ok ? parsed.config : undefined;
}

function setsIn(line: Line): string[] {
  return Object.keys(configIn(line)?.settings.sets ?? {});
}

/** The built-in profiles and those of the configuration. */
function profilesOf(config: GatewayConfig | undefined): string[] {
  return [...createProfileSet({ own: config?.settings.profiles ?? {} }).ids];
}

function toolsOf(config: GatewayConfig | undefined, { env }: Context): string[] {
  if (!config) return [];
  return [...cachedTools(config, env)].flatMap(([server, tools]) =>
    tools.map(({ name }) => canonicalName({ server, tool: name })),
  );
}

/** A damaged file of secrets must not break a completion. */
async function secretNames({ env }: Context): Promise<string[]> {
  const stored = await secretStore(env)
    .list()
    .catch(() => []);
  return stored.map(({ name }) => name);
}

async function wordsOfKind(kind: Kind | undefined, line: Line): Promise<string[]> {
  const file = fileIn(line);
  switch (kind) {
    case 'server':
      // How far its claims are believed comes after the server.
      if (line.name === 'trust' && line.before.at(-1) !== 'trust') return [...TRUSTS];
      return entriesIn(readText(file) ?? '', file).map(({ key }) => key);
    case 'tool':
      return toolsOf(configIn(line), line.context);
    case 'set':
      // The tool comes after the set.
      return line.before.at(-1) === line.name.split(' ').at(-1)
        ? setsIn(line)
        : toolsOf(configIn(line), line.context);
    case 'client':
      return CLIENT_APPS.map(({ id }) => id);
    case 'secret':
      return await secretNames(line.context);
    case 'shell':
      return [...SCRIPTS.keys()];
    case undefined:
      return [];
  }
}
