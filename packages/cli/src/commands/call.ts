/** `callsign call`: calls one tool, as a client would. */

import { text as readAll } from 'node:stream/consumers';

import { withMembers, type Entry, type Reply } from '@callsign/core';
import type { Gateway } from '@callsign/gateway';
import { parseCanonicalName } from '@callsign/naming';

import { missingIn, readArguments } from '../call/call-arguments.js';
import { promptParameter } from '../call/prompt-parameter.js';
import { replyComplaint, unavailable } from '../call/reply-complaint.js';
import { resultText } from '../call/result-text.js';
import { callTool } from '../call/tool-call.js';
import type { CommandModule, Context } from '../command/command.js';
import { requireConfig } from '../config-file/config-text.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { findTool, unknownTool } from '../fleet/find-tool.js';
import { openFleet, type Fleet } from '../fleet/fleet.js';
import { withRunning } from '../fleet/running-gateway.js';
import { definitionOfTool, type Parameter } from '@callsign/gateway';

interface CallOptions {
  readonly args?: string;
}

interface TypedCall {
  readonly words: readonly string[];
  readonly whole: string | undefined;
}

export const command: CommandModule<CallOptions> = {
  describe(line) {
    line
      .description('Calls a tool and prints what it answers. Starts only the server that has it.')
      .usage('NAME [key=value | key:=JSON]... | --args JSON | -')
      .argument('<name>', 'any of its names: server:tool, or as a client shows it')
      .argument('[arguments...]', 'key=value by the schema, key:=JSON to the letter, - for stdin')
      .option('--args <json>', 'all arguments as a JSON object');
  },

  async run(context, { words: [spelling = '', ...words], options: { args } }) {
    const typed = await typedCall(words, args);
    const config = await requireConfig(context);
    const { fleet, entry } = await findAnywhere(context, config, spelling);
    const server = fleet.config.servers.filter(({ key }) => key === entry.ref.server);
    const reply = await withRunning(context, { ...config, servers: server }, (gateway, signal) =>
      callIn(context, gateway, entry, spelling, typed, signal),
    );
    return show(context, entry, reply);
  },
};

async function typedCall(words: readonly string[], args: string | undefined): Promise<TypedCall> {
  const fromInput = words.includes('-');
  if (fromInput && args !== undefined) throw usageFailure('"-" and --args exclude each other.');
  const whole = fromInput ? await readAll(process.stdin) : args;
  return { words: words.filter((word) => word !== '-'), whole };
}

/** What is remembered may be old: before a name is called unknown, the servers are asked. */
async function findAnywhere(
  context: Context,
  config: Fleet['config'],
  spelling: string,
): Promise<{ fleet: Fleet; entry: Entry }> {
  const parsed = parseCanonicalName(spelling);
  const only = config.servers.find(({ key }) => parsed.ok && key === parsed.ref.server)?.key;
  const noted = await openFleet(context, config, { only });
  const known = findTool(noted, spelling);
  if (known) return { fleet: noted, entry: known };
  const fleet = noted.isNoted ? await openFleet(context, config, { only, refresh: true }) : noted;
  const entry = findTool(fleet, spelling);
  if (!entry) throw unknownTool(fleet, spelling);
  return { fleet, entry };
}

async function callIn(
  context: Context,
  gateway: Gateway,
  { canonical }: Entry,
  spelling: string,
  { words, whole }: TypedCall,
  signal: AbortSignal,
): Promise<Reply> {
  const view = gateway.viewFor(undefined);
  // By the name as typed, so that an old one is told to be old; a client's spelling only we know.
  const name = view.route('tool', spelling) ? spelling : canonical;
  const route = view.route('tool', name);
  const live = gateway.hub.entry('tool', canonical);
  if (!route || !live) throw unavailable(gateway, canonical);
  const { parameters } = definitionOfTool(live);
  const args = await completed(context, readArguments({ words, whole }, parameters), parameters);
  const progress = context.wait(`Calling ${canonical}`);
  const { isInteractive } = context;
  try {
    return await callTool({ name, args, route, signal, progress, isInteractive });
  } finally {
    progress.end();
  }
}

/** Asks for what is missing, if there is somebody to ask. */
async function completed(
  { isInteractive }: Context,
  args: string,
  parameters: readonly Parameter[],
): Promise<string> {
  const missing = missingIn(args, parameters);
  if (missing.length > 0 && !isInteractive) {
    const names = missing.map(({ name }) => `${name}=VALUE`).join(' ');
    throw usageFailure(`Arguments are missing: ${names}`);
  }
  let whole = args;
  for (const parameter of missing) {
    whole = withMembers(whole, { [parameter.name]: await promptParameter(parameter) });
  }
  return whole;
}

function show({ json, out, stderr }: Context, { canonical }: Entry, reply: Reply): number {
  if (!reply.ok) throw new Failure(replyComplaint(canonical, reply));
  const { isError, text, notice } = resultText(reply.json);
  if (notice !== undefined) stderr.log('warning', notice);
  if (json) out.rawJson(reply.json);
  if (isError) throw new Failure({ exit: EXIT.toolError, code: 'tool-error', message: text });
  if (!json) out.lines(text);
  return EXIT.ok;
}
