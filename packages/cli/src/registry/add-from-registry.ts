/** `callsign add io.github.someone/server`: shows a server of the registry with its labels, and adds it after a yes. */

import {
  expandVariables,
  type Secrets,
  shownEntry,
  shownSetting,
  type WrittenEntry,
} from '@callsign/config';
import type { Entry } from '@callsign/core';
import { groundOf, reasonFor } from '@callsign/effects';
import { readSecrets, secretStore } from '@callsign/gateway/host';
import { skeleton } from '@callsign/naming';
import { askWhether, askWhich, counted, onOneLine } from '@callsign/terminal';

import { readText } from '../clients/files/text-file.js';
import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { checkEntry } from '../config-file/check-entry.js';
import { entryStarts } from '../config-file/config-starts.js';
import { entriesIn, withServer } from '../config-file/config-text.js';
import { isSignInWanted } from '../fleet/not-started.js';
import { markedRisk, markMeanings } from '../fleet/risk-mark.js';
import { addServer, requireFreeKey } from '../setup/add-server.js';
import { sayPlace } from '../setup/stored-secrets.js';
import { configuredRegistry } from './configured-registry.js';
import { noSandbox, startOnce, type FirstStart } from './first-start.js';
import { givenValues, type GivenValues } from './given-values.js';
import { registryEntry } from './registry-entry.js';
import type { Registry } from './registry.js';
import { type Asked, askedIn, type RegistryServer, VERSION, type Way } from './registry-server.js';

export interface RegistryFlags {
  readonly as?: string;
  readonly use?: string;
  readonly value?: readonly string[];
  readonly yes?: true;
  readonly force?: true;
  /** False with `--no-start`. */
  readonly start?: boolean;
}

export interface RegistryRequest {
  readonly server: string;
  /** Default: the latest. */
  readonly version: string | undefined;
  readonly env: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly flags: RegistryFlags;
}

export async function addFromRegistry(context: Context, request: RegistryRequest): Promise<number> {
  const { file, env } = context;
  const { server: name, version = 'latest', flags } = request;
  if (!VERSION.test(version)) throw usageFailure(`There is no version "${version}".`);
  const key = flags.as ?? keyFor(name);
  const before = readText(file) ?? '';
  requireFreeKey(before, file, key, flags.force === true);
  const registry = await configuredRegistry(context);
  const server = await registry.server(name, version);
  showServer(context, server, registry);
  const way = await chosenWay(context, server, flags.use);
  const store = secretStore(env);
  const values = await valuesFor(context, way, request, {
    key,
    taken: (await store.list()).map((each) => each.name),
  });
  const entry = registryEntry(way, values.texts, values.more);
  checkEntry(context, entry, (field) => `The ${field || 'entry'} of ${name}`);
  const secrets = await secretsFor(context, entry, values);
  await checkAddress(context, registry, entry, secrets);
  showEntry(context, key, entry);
  warnOfTwins(context, key, before);
  const text = withServer(before, file, key, entry);
  const first = await firstStart(context, { text, key, secrets }, way, flags);
  const shown = {
    ...server,
    key,
    entry: shownEntry(entry),
    tools: (first?.tools ?? []).map(toolJson),
  };
  await requireYes(context, { key, name, first, flags });
  await storeSecrets(context, values.secrets);
  const { ways: _, unusable: __, isDeprecated: ___, ...about } = shown;
  const exit = await addServer(context, key, entry, flags.force === true, { server: about });
  sayNext(context, key, way, first);
  return exit;
}

/** The last part of the name, in letters that every client shows. */
function keyFor(name: string): string {
  return name.slice(name.indexOf('/') + 1).replaceAll(/[^A-Za-z0-9_-]+/g, '-');
}

function showServer(
  { out, json, stderr }: Context,
  server: RegistryServer,
  { url }: Registry,
): void {
  const { name, version, title, description, isDeprecated } = server;
  if (isDeprecated) stderr.log('warning', `${name} is deprecated: its authors advise against it.`);
  if (json) return;
  out.field('Server', title === '' ? `${name} ${version}` : `${name} ${version}: ${title}`, 'name');
  if (description !== '') out.field('About', description);
  out.field('Registry', url);
}

/** A person chooses among several. Without one, the first counts: packages come before addresses. */
async function chosenWay(
  { isInteractive }: Context,
  { name, ways, unusable }: RegistryServer,
  wanted: string | undefined,
): Promise<Way> {
  const kinds = [...new Set(ways.map(({ kind }) => kind))];
  if (wanted !== undefined && !['npm', 'pypi', 'remote'].includes(wanted)) {
    throw usageFailure('--use takes npm, pypi or remote.');
  }
  const fitting = ways.filter(({ kind }) => wanted === undefined || kind === wanted);
  const [first, ...others] = fitting;
  if (!first) {
    const reasons = unusable.map((reason) => `  ${reason}.`);
    const has = kinds.length > 0 ? `It has: ${kinds.join(', ')}.` : '';
    const advice = 'If you trust it, start it as its page says: callsign add NAME -- COMMAND';
    const message = [
      `${name} cannot be added from the registry. ${has}`.trim(),
      ...reasons,
      advice,
    ];
    throw new Failure({ exit: EXIT.usage, code: 'not-runnable', message: message.join('\n') });
  }
  if (!isInteractive || others.length === 0) return first;
  const choices = fitting.map((way, i) => ({ value: `${i}`, label: onOneLine(wayText(way)) }));
  return fitting[Number(await askWhich('It can be used in several ways. Which one?', choices))]!;
}

function wayText(way: Way): string {
  if (way.kind !== 'remote') return `on this machine: ${[way.command, ...way.start].join(' ')}`;
  const parts = way.url.map((part) => (typeof part === 'string' ? part : `{${part.name}}`));
  return `at its address: ${parts.join('')}`;
}

interface EntryValues extends GivenValues {
  readonly more: {
    readonly env: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** `--value`, `--env` and `--header` fill in what the server asks for. The others of `--env` and `--header` are kept. */
async function valuesFor(
  context: Context,
  way: Way,
  { server, env, headers, flags }: RegistryRequest,
  { key, taken }: { readonly key: string; readonly taken: readonly string[] },
): Promise<EntryValues> {
  const asked = askedIn(way);
  const names = asked.map(({ name }) => name);
  const given = new Map<string, string[]>();
  const give = (name: string, text: string): void => {
    given.set(name, [...(given.get(name) ?? []), text]);
  };
  for (const pair of flags.value ?? []) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0));
    if (at < 1) throw usageFailure('--value takes NAME=VALUE.');
    if (!names.includes(name)) {
      const known = names.length > 0 ? `It asks for: ${names.join(', ')}.` : 'It asks for none.';
      throw usageFailure(`${server} asks for no value "${name}". ${known}`);
    }
    give(name, pair.slice(at + 1));
  }
  const isRemote = way.kind === 'remote';
  if (isRemote && env.length > 0) throw usageFailure('--env is for commands; use --header.');
  if (!isRemote && headers.length > 0) throw usageFailure('--header is for addresses; use --env.');
  const pairs = [...env, ...headers];
  for (const [name, text] of pairs) give(name, text);
  const others = pairs.map(([name]) => name).filter((name) => !names.includes(name));
  const all = [...asked, ...others.map(unasked)];
  const values = await givenValues(context, all, { key, server, given, taken });
  const more = Object.fromEntries(others.map((name) => [name, values.texts.get(name)!.at(-1)!]));
  return { ...values, more: isRemote ? { env: {}, headers: more } : { env: more, headers: {} } };
}

/** A value that the person gives although the server does not ask for it. It may be a secret all the same. */
function unasked(name: string): Asked {
  const open = { description: '', isRequired: false, isSecret: false, choices: [] };
  return { name, format: 'string', ...open };
}

/** The values of the secrets that the entry names. Those that were just given are not stored yet. */
async function secretsFor(
  { file, env }: Context,
  entry: WrittenEntry,
  { secrets }: GivenValues,
): Promise<Secrets> {
  const fresh = [...secrets].map(([name, value]) => [`keychain:${name}`, { value }] as const);
  return new Map([...(await readSecrets(entry, file, env)), ...fresh]);
}

/** A registry must not lead into a network that it is not in, nor send tokens unencrypted. */
async function checkAddress(
  { env }: Context,
  registry: Registry,
  entry: WrittenEntry,
  secrets: Secrets,
): Promise<void> {
  const { url: written } = entry;
  if (typeof written !== 'string') return;
  const { text } = expandVariables(written, env, { secrets });
  const problem = await registry.addressProblem(text);
  if (problem === undefined) return;
  const origin = URL.canParse(text) ? new URL(text).origin : '';
  const advice = `If it is a server of your own network, name ${origin} in the setting "network.allowPrivate".`;
  const message = `The address from the registry cannot be used (${origin}): ${problem}. ${advice}`;
  throw new Failure({ exit: EXIT.denied, code: 'address-refused', message: onOneLine(message) });
}

function showEntry({ out, json }: Context, key: string, entry: WrittenEntry): void {
  if (json) return;
  const [start = '', ...more] = entryStarts(key, entry);
  out.field(entry['url'] === undefined ? 'Starts' : 'Connects', start.slice(key.length + 2));
  for (const line of more) out.field('', line);
  for (const field of ['env', 'headers'] as const) {
    const pairs = Object.entries((entry[field] ?? {}) as Record<string, string>);
    for (const [name, value] of pairs) {
      out.field(field === 'env' ? 'Variable' : 'Header', `${name}: ${shownSetting(name, value)}`);
    }
  }
}

function warnOfTwins({ file, stderr }: Context, key: string, text: string): void {
  const look = skeleton(key.toLowerCase());
  const twin = entriesIn(text, file).find(
    (each) => each.key !== key && skeleton(each.key.toLowerCase()) === look,
  );
  if (!twin) return;
  stderr.log(
    'warning',
    `"${key}" looks like your server "${twin.key}". To choose another key: --as KEY`,
  );
}

/** `undefined`: it was not started. */
async function firstStart(
  context: Context,
  start: Parameters<typeof startOnce>[1],
  way: Way,
  flags: RegistryFlags,
): Promise<FirstStart | undefined> {
  const { isInteractive, json, out, say } = context;
  if (flags.start === false) return undefined;
  const isRemote = way.kind === 'remote';
  const fault = noSandbox(isRemote);
  if (fault !== undefined) {
    const reason = `There is no sandbox for its first start: ${fault}.`;
    const mayStart = isInteractive
      ? await askWhether(`${reason} Start it without one, to see its tools?`, false)
      : flags.yes === true;
    if (!mayStart) return undefined;
    say(`${reason} It is started without one.`);
  } else if (!isRemote) {
    say(
      'It is started once in a sandbox: it changes no files, and reaches only its package registry.',
    );
  }
  const first = await startOnce(context, start);
  if (json || first.tools.length === 0) return first;
  out.table(first.tools, [
    { title: 'TOOL', text: ({ ref }) => ref.tool, tint: () => 'name', isWhole: true },
    { title: 'RISK', text: markedRisk, tint: ({ risk }) => risk },
    { title: 'WHY', text: reasonFor },
  ]);
  const meanings = markMeanings(first.tools, true);
  if (meanings !== undefined) say(meanings);
  return first;
}

function toolJson(entry: Entry): object {
  const { ref, risk, hints } = entry;
  const evidence = { by: groundOf(entry), because: reasonFor(entry) };
  return { tool: ref.tool, risk, hints, evidence };
}

interface Decision {
  readonly key: string;
  readonly name: string;
  readonly first: FirstStart | undefined;
  readonly flags: RegistryFlags;
}

/** Fails unless the person agrees, or has agreed with `--yes`. */
async function requireYes(context: Context, { key, name, first, flags }: Decision): Promise<void> {
  const { file, isInteractive, stderr } = context;
  const failure = first?.failure;
  const wantsSignIn = failure !== undefined && isSignInWanted(failure);
  if (failure !== undefined) {
    const reason = wantsSignIn ? 'It wants a sign-in' : `It did not start: ${onOneLine(failure)}`;
    stderr.log('warning', `${reason}. Its tools are not known.`);
    for (const line of first?.said ?? []) stderr.log('warning', `  ${onOneLine(line)}`);
  }
  const isUnknown = first === undefined || failure !== undefined;
  if (flags.yes) {
    if (failure === undefined || wantsSignIn) return;
    const message = `${name} was not added, because it did not start.\nTo add it without a start: --no-start`;
    throw new Failure({ exit: EXIT.unreachable, code: 'unreachable', message });
  }
  if (!isInteractive) throw usageFailure(`${name} was not added. If you agree, add it with --yes.`);
  const question = isUnknown
    ? `Add ${name} to ${file} as "${key}", without knowing its tools?`
    : `Add ${name} with ${counted(first.tools.length, 'tool')} to ${file} as "${key}"?`;
  if (await askWhether(question, !isUnknown)) return;
  throw new Failure({ exit: EXIT.usage, code: 'declined', message: `${name} was not added.` });
}

async function storeSecrets(context: Context, secrets: GivenValues['secrets']): Promise<void> {
  const store = secretStore(context.env);
  for (const [name, value] of secrets) sayPlace(context, [name], await store.set(name, value));
}

function sayNext({ say }: Context, key: string, way: Way, first: FirstStart | undefined): void {
  if (first?.failure !== undefined && isSignInWanted(first.failure)) {
    say(`To sign in: callsign login ${key}`);
  } else if (way.kind === 'remote') say(`To call its tools: callsign tools ${key}`);
  else say(`It runs without a sandbox. To propose one: callsign sandbox suggest ${key}`);
}
