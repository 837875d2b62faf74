/** `callsign add`: adds a server to the configuration: a command, an address, or one of a registry. */

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';

import { literalText, type WrittenEntry } from '@callsign/config';

import type { CommandModule, Context, Input } from '../command/command.js';
import { ownProgram } from '../command/copyable.js';
import { usageFailure } from '../command/failure.js';
import { checkEntry } from '../config-file/check-entry.js';
import { addFromRegistry, type RegistryFlags } from '../registry/add-from-registry.js';
import { isServerName } from '../registry/registry-server.js';
import { addServer } from '../setup/add-server.js';

interface AddOptions extends RegistryFlags {
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly transport?: string;
  readonly force?: true;
}

const TRANSPORTS = ['stdio', 'http', 'sse'];

export const command: CommandModule<AddOptions> = {
  takesRest: true,

  describe(line) {
    line
      .description(
        'Adds a server to the configuration. Creates the file if it does not exist. A name such as ' +
          'io.github.someone/server is looked up in the registry: its command, the values that it needs ' +
          'and the labels of its tools are shown, and it is added after your yes.',
      )
      .usage(
        'NAME -- COMMAND [ARGS...]\n       callsign add NAME URL\n       callsign add SERVER[@VERSION]',
      )
      .argument('<name>', 'its key in the configuration, or its name in the registry')
      .argument('[url]', 'address of a remote server')
      .option('-e, --env <K=V>', 'an environment variable; can be repeated', collect)
      .option(
        '-H, --header <header>',
        '"Name: value" for a remote server; can be repeated',
        collect,
      )
      .option('-t, --transport <kind>', TRANSPORTS.join(', '))
      .option('--force', 'replace an existing server of that name')
      .option('--as <key>', 'from the registry: its key in the configuration')
      .option('--use <kind>', 'from the registry: npm, pypi or remote, if it has several')
      .option(
        '--value <K=V>',
        'from the registry: a value that it asks for; can be repeated',
        collect,
      )
      .option('--no-start', 'from the registry: do not start it to show its labels')
      .option('-y, --yes', 'from the registry: add it without asking');
  },

  async run(context, input) {
    const { words, rest, options } = input;
    const [name = '', url] = words;
    const [server = '', version] = name.split('@');
    if (isServerName(server) && url === undefined && !rest) {
      const env = (options.env ?? []).map(variableOf);
      const headers = (options.header ?? []).map(headerOf);
      return addFromRegistry(context, { server, version, env, headers, flags: options });
    }
    const forRegistry = ['as', 'use', 'value', 'yes'] as const;
    const stray = forRegistry.find((flag) => options[flag] !== undefined);
    if (stray !== undefined) {
      throw usageFailure(
        `--${stray} is for servers of the registry, such as io.github.someone/server.`,
      );
    }
    const entry = entryOf(input, context);
    checkEntry(context, entry, argumentOf);
    if (entry['cwd'] !== undefined) {
      context.say(`It runs in ${context.cwd}, because its command names a file or folder there.`);
    }
    return addServer(context, name, entry, options.force === true);
  },
};

function entryOf(
  { words: [, url], rest, options }: Input<AddOptions>,
  where: Context,
): WrittenEntry {
  const { transport, env = [], header = [] } = options;
  if (transport !== undefined && !TRANSPORTS.includes(transport)) {
    throw usageFailure(`--transport takes ${TRANSPORTS.join(', ')}, not "${transport}".`);
  }
  if (rest) {
    if (url !== undefined) throw usageFailure('A server has a URL or a command, not both.');
    return childEntry(rest, options, where);
  }
  if (url === undefined) {
    throw usageFailure(
      'Say how to reach it: callsign add NAME -- COMMAND, or callsign add NAME URL',
    );
  }
  if (!URL.canParse(url) || transport === 'stdio') {
    throw usageFailure(`Put "--" before a command: callsign add NAME -- ${url}`);
  }
  if (env.length > 0) throw usageFailure('--env is for commands; a remote server takes --header.');
  return {
    type: transport ?? 'http',
    url,
    ...(header.length > 0 ? { headers: Object.fromEntries(header.map(headerOf)) } : {}),
  };
}

function childEntry(
  rest: readonly string[],
  options: AddOptions,
  { cwd, file, shell: { script } }: Context,
): WrittenEntry {
  const { transport, env = [], header = [] } = options;
  const [typed, ...others] = rest;
  // An adapter is served by this command, which the PATH of a gateway may not have.
  const [program, ...args] = typed === 'callsign' ? [...ownProgram(script), ...others] : rest;
  if (program === undefined) throw usageFailure('The command after "--" is missing.');
  if (transport !== undefined && transport !== 'stdio') {
    throw usageFailure(`A command speaks stdio, not ${transport}.`);
  }
  if (header.length > 0) throw usageFailure('--header is for remote servers; use --env.');
  return {
    command: program,
    ...(args.length > 0 ? { args } : {}),
    ...(env.length > 0 ? { env: Object.fromEntries(env.map(variableOf)) } : {}),
    // In a configuration, a relative folder begins at the folder of the file.
    ...(namesFileIn(cwd, rest) ? { cwd: dirname(file) === cwd ? '.' : literalText(cwd) } : {}),
  };
}

/** Whether a command line has a relative path, such as `server.mjs` or `--root=.`, that exists. */
function namesFileIn(folder: string, [program = '', ...args]: readonly string[]): boolean {
  const values = args.map((arg) => arg.replace(/^-[^=]*=?/, ''));
  const paths = [...(/[/\\]/.test(program) ? [program] : []), ...values];
  return paths.some(
    (path) => path !== '' && !isAbsolute(path) && existsSync(resolve(folder, path)),
  );
}

/** The argument that a field of the entry comes from. */
function argumentOf(field: string): string {
  const [, block, name = ''] = /^(\w*)(?:\.|\[")?(.*?)(?:"\])?$/.exec(field) ?? [];
  if (block === 'url') return 'The URL';
  if (block === 'headers') return `--header "${name}"`;
  if (block === 'env') return `--env "${name}"`;
  return 'The command';
}

function variableOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageFailure('--env takes NAME=VALUE.');
  return [text.slice(0, at), text.slice(at + 1)];
}

function headerOf(text: string): [string, string] {
  const at = text.indexOf(':');
  if (at < 1) throw usageFailure('--header takes "Name: value".');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
