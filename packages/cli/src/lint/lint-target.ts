/** Gets the tools to lint: of configured servers, of any other server, or of a recorded list. */

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { isRecord, shellWord } from '@callsign/config';
import { findCommand, type GatewayConfig, type ServerConfig } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { Failure, usageFailure } from '../command/failure.js';
import { unknownServer } from '../config-file/config-text.js';
import { requireConfig } from '../config-file/required-config.js';
import { adhocConfig } from '../fleet/adhoc-config.js';
import { harvest } from '../fleet/harvest.js';
import { adhocNotStarted, notStarted } from '../fleet/not-started.js';
import type { OfferedServer } from '../fleet/offered-server.js';

export interface LintTarget {
  /** The server's key, or the path of the file. */
  readonly name: string;
  /** Whether `name` is the server's key, which some clients count as part of names. */
  readonly isKey: boolean;
  /** As in the answer to `tools/list`, unchecked. */
  readonly tools: readonly unknown[];
  /** Missing for a file. */
  readonly source?: { readonly config: GatewayConfig; readonly server: ServerConfig } | undefined;
}

export interface TargetWords {
  /** Keys of servers, or paths of files. */
  readonly words: readonly string[];
  readonly command?: string | undefined;
  readonly url?: string | undefined;
  /** A command line after `--`. */
  readonly rest?: readonly string[] | undefined;
}

export async function readTargets(
  context: Context,
  { words, command, url, rest }: TargetWords,
): Promise<LintTarget[]> {
  const given = [words.length > 0, command !== undefined, url !== undefined, rest !== undefined];
  if (given.filter(Boolean).length > 1) {
    throw usageFailure('Name servers or files, or give one of --command, --url and "--".');
  }
  const line = adhocWords({ command, url, rest });
  if (line) {
    const config = adhocConfig(url === undefined ? { command: line } : { url }, context);
    return harvested(context, config, false);
  }
  const files = words.filter(
    (word) => word.endsWith('.json') || existsSync(resolve(context.cwd, word)),
  );
  const keys = words.filter((word) => !files.includes(word));
  try {
    const fromFiles = files.map((file) => fileTarget(file, context.cwd));
    if (words.length > 0 && keys.length === 0) return fromFiles;
    return [...fromFiles, ...(await configuredTargets(context, keys))];
  } catch (error) {
    const { complaint } = error instanceof Failure ? error : {};
    if (!complaint || !WRONG_WORDS.includes(complaint.code)) throw error;
    const typed = words.map((word) => shellWord(word)).join(' ');
    const isCommand = isProgram(words[0], context);
    if (!isCommand && files.every((file) => file.endsWith('.json'))) throw error;
    const hint = isCommand
      ? `Put "--" before a command: callsign lint -- ${typed}`
      : 'To lint a server, give its command: callsign lint -- COMMAND';
    const message = `${complaint.message}\n${hint}`;
    throw new Failure({ ...complaint, message });
  }
}

/** The failures of words that are neither servers nor files with a list of tools. */
const WRONG_WORDS: readonly string[] = ['usage', 'unknown-server', 'no-config'];

/** Whether a word is more likely a command than a server or a file. */
function isProgram(word: string | undefined, { env, cwd }: Context): boolean {
  if (!word || word.endsWith('.json')) return false;
  const [server] = adhocConfig({ command: [word] }, { cwd }).servers;
  return server?.transport === 'stdio' && findCommand(server, env, cwd).problem === undefined;
}

/** The words of an address: a program and its arguments, or one URL. */
function adhocWords({ command, url, rest }: Omit<TargetWords, 'words'>): string[] | undefined {
  if (url !== undefined) return [url];
  const line = rest ?? command?.trim().split(/\s+/);
  if (line && (line[0] ?? '') === '') throw usageFailure('The command is missing.');
  return line && [...line];
}

async function configuredTargets(context: Context, keys: readonly string[]): Promise<LintTarget[]> {
  const config = await requireConfig(context);
  const known = config.servers.map(({ key }) => key);
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw unknownServer(unknown, config.servers, 'server or file');
  const servers = config.servers.filter(({ key }) => keys.length === 0 || keys.includes(key));
  return harvested(context, { ...config, servers }, true);
}

async function harvested(
  context: Context,
  config: GatewayConfig,
  isKey: boolean,
): Promise<LintTarget[]> {
  const servers = await harvest(context, config, config.servers);
  const failed = servers.find((server) => server.failure !== undefined);
  if (failed && !isKey) throw adhocNotStarted(failed.failure!);
  if (failed) throw notStarted(failed.key, failed.failure!);
  return servers.map(({ key, tools }) => {
    const server = config.servers.find((each) => each.key === key);
    const source = server && { config, server };
    return { name: key, isKey, tools: tools.map(parsedTool), source };
  });
}

function parsedTool({ json }: OfferedServer['tools'][number]): unknown {
  return JSON.parse(json);
}

/** The answer to `tools/list`, its result, or the bare list. */
function fileTarget(file: string, cwd: string): LintTarget {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(resolve(cwd, file), 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw usageFailure(`There is no file ${file}.`);
    const why = code === undefined ? 'is not JSON' : `cannot be read (${code})`;
    throw usageFailure(`${file} ${why}. It must be a server's answer to tools/list.`);
  }
  const result = isRecord(value) && isRecord(value['result']) ? value['result'] : value;
  const tools = isRecord(result) ? result['tools'] : result;
  if (!Array.isArray(tools)) {
    throw usageFailure(
      `${file} contains no list of tools. It must be a server's answer to tools/list.`,
    );
  }
  return { name: file, isKey: false, tools };
}
