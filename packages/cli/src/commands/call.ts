/** `callsign call`: calls one tool, as a client would. */

import { text as readAll } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';

import { homeIn, stateFolder } from '@callsign/config';
import { withMembers, type Entry } from '@callsign/core';
import { type Gateway } from '@callsign/gateway/host';
import {
  type AdminClient,
  AdminRouter,
  AdminServer,
  callThrough,
  callTool,
  definitionOfTool,
  type ParameterData,
  serveApprovals,
  type ToolCallAnswer,
} from '@callsign/gateway/admin';
import type { LockData } from '@callsign/gateway/admin/data';
import { OWN_SERVER_KEY, parseCanonicalName } from '@callsign/naming';

import { guessAdvice, missingIn, readArguments } from '../call/call-arguments.js';
import { promptParameter } from '../call/prompt-parameter.js';
import { replyComplaint, unavailable, withheld } from '../call/reply-complaint.js';
import { resultText } from '../call/result-text.js';
import { callFromTerminal, type ToolCaller } from '../call/tool-call.js';
import { usableState } from '../call/without-state.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { interruptible } from '../command/interruptible.js';
import { VERSION } from '../command/version.js';
import { readRequired } from '../config-file/required-config.js';
import { findTool, unknownTool } from '../fleet/find-tool.js';
import { type Fleet, openFleet } from '../fleet/fleet.js';
import { adminFailure, describeLive, findLive, type LiveWords } from '../fleet/live-gateway.js';
import { withRunning } from '../fleet/running-gateway.js';

interface CallOptions extends LiveWords {
  readonly args?: string;
  readonly yes?: true;
}

interface TypedCall {
  readonly spelling: string;
  readonly words: readonly string[];
  readonly whole: string | undefined;
  readonly isApproved: boolean;
}

export const command: CommandModule<CallOptions> = {
  describe(line) {
    line
      .description(
        'Calls a tool and prints its answer. Asks the running gateway of the configuration. If none ' +
          'runs, starts the one server that has the tool.',
      )
      .usage('NAME [key=value | key:=JSON]... | --args JSON | -')
      .argument('<name>', 'any of its names: server:tool, or as a client shows it')
      .argument(
        '[arguments...]',
        'key=value, typed by the schema, or key:=JSON, or one JSON object, or - for stdin',
      )
      .option('--args <json>', 'all arguments as a JSON object')
      .option(
        '--yes',
        'approve the call in advance, if the policy or an adapter asks for confirmation',
      );
    describeLive(line);
  },

  async run(context, { words: [spelling = '', ...words], options }) {
    const typed = await typedCall(context, spelling, words, options);
    const { config: loaded, warn } = await readRequired(context);
    const live = await findLive(context, options);
    const { config, hasState } = live
      ? { config: loaded, hasState: true }
      : usableState(context, loaded);
    const { fleet, entry } = await findAnywhere(context, config, spelling, live).catch(
      (error: unknown) => {
        // The tool may be missing because of any of them.
        warn();
        throw error;
      },
    );
    warn(entry.ref.server);
    const answer = live
      ? await callLive(context, live, entry, typed)
      : await callHere(context, fleet, entry, typed, hasState);
    if (!answer) {
      const server = fleet.servers.find(({ key }) => key === entry.ref.server);
      if (live && server?.failure === undefined) await throwIfWithheld(live, entry);
      throw unavailable(entry.canonical, server);
    }
    return show(
      context,
      entry,
      answer,
      guessAdvice(typed.words, definitionOfTool(entry).parameters),
    );
  },
};

async function typedCall(
  { shell }: Context,
  spelling: string,
  words: readonly string[],
  { args, yes }: CallOptions,
): Promise<TypedCall> {
  const fromInput = words.includes('-');
  // An object may also be written without --args.
  const objects = words.filter((word) => word.startsWith('{'));
  if (args !== undefined) objects.push(args);
  if (objects.length + Number(fromInput) > 1)
    throw usageFailure('Write the arguments as one JSON object: "-", --args or {…}.');
  const whole = fromInput ? await readAll(shell.stdin) : objects[0];
  const others = words.filter((word) => word !== '-' && !word.startsWith('{'));
  return { spelling, words: others, whole, isApproved: yes === true };
}

/**
 * Finds the tool. Before a name counts as unknown, the servers are asked for new lists, unless it is
 * the name of a remembered tool and only its server is missing.
 */
async function findAnywhere(
  context: Context,
  config: Fleet['config'],
  spelling: string,
  live: AdminClient | undefined,
): Promise<{ fleet: Fleet; entry: Entry }> {
  const parsed = parseCanonicalName(spelling);
  const only = config.servers.find(({ key }) => parsed.ok && key === parsed.ref.server)?.key;
  const cached = await openFleet(context, config, { only, live, starts: false });
  const known = findTool(cached, spelling);
  if (known) return { fleet: cached, entry: known };
  const isBare = [...cached.tools.values()].some(({ ref }) => ref.tool === spelling);
  if (isBare) throw unknownTool(cached, spelling);
  const fleet = cached.isCached
    ? await openFleet(context, config, { only, live, refresh: true })
    : cached;
  const entry = findTool(fleet, spelling);
  if (!entry) throw unknownTool(fleet, spelling);
  return { fleet, entry };
}

/** Calls at the running gateway, whose servers keep their state between calls. */
function callLive(
  context: Context,
  live: AdminClient,
  entry: Entry,
  typed: TypedCall,
): Promise<ToolCallAnswer | undefined> {
  return interruptible((signal) =>
    callIn(context, entry, typed, (request, client) =>
      callThrough(live, request, client, signal).catch((error: unknown) => {
        throw adminFailure(error);
      }),
    ),
  );
}

/** Calls in a gateway of this process that starts only the server of the tool. Scripts may call every server. */
function callHere(
  context: Context,
  { config }: Fleet,
  { canonical, ref }: Entry,
  typed: TypedCall,
  hasState: boolean,
): Promise<ToolCallAnswer | undefined> {
  const isOwn = ref.server === OWN_SERVER_KEY;
  const servers = config.servers.filter(({ key }) => isOwn || key === ref.server);
  return withRunning(context, { ...config, servers }, async (gateway, signal) => {
    const entry = gateway.hub.entry('tool', canonical);
    if (!entry) {
      const note = gateway.suspicions.find((each) => isDeepStrictEqual(each.ref, ref));
      if (note?.isWithheld) throw withheld(canonical, ref.server, note.reason);
      throw unavailable(canonical, whyDown(gateway, ref.server));
    }
    const close = hasState ? await openApprovalSocket(context, gateway) : undefined;
    try {
      return await callIn(context, entry, typed, (request, client) =>
        callTool(gateway, request, client, signal),
      );
    } finally {
      await close?.();
    }
  });
}

async function throwIfWithheld(live: AdminClient, { canonical, ref }: Entry): Promise<void> {
  const { mode, tools } = (await live.get('/lock')) as LockData;
  const found = tools.find(({ server, tool }) => server === ref.server && tool === ref.tool);
  if (mode !== 'enforce' || (found?.standing !== 'changed' && found?.standing !== 'new')) return;
  const reason =
    found.standing === 'new'
      ? 'you have not accepted it yet'
      : 'its definition has changed since you accepted it';
  throw withheld(canonical, ref.server, reason);
}

function whyDown(gateway: Gateway, server: string): { readonly failure?: string } {
  const state = gateway.status().find(({ key }) => key === server)?.state;
  return state && 'reason' in state && state.reason !== undefined ? { failure: state.reason } : {};
}

async function callIn(
  context: Context,
  entry: Entry,
  { spelling: name, words, whole, isApproved }: TypedCall,
  caller: ToolCaller,
): Promise<ToolCallAnswer | undefined> {
  const { parameters } = definitionOfTool(entry);
  const args = await completed(context, readArguments({ words, whole }, parameters), parameters);
  const call = { name, canonical: entry.canonical, args, isApproved };
  return callFromTerminal(context, call, caller);
}

/** Asks for what is missing, if a person can be asked. */
async function completed(
  { isInteractive }: Context,
  args: string,
  parameters: readonly ParameterData[],
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

/** `advice`: added if the server answers with an error. */
function show(
  { json, out, stderr }: Context,
  { canonical }: Entry,
  answer: ToolCallAnswer,
  advice: readonly string[],
): number {
  const advised = (message: string): string => [message, ...advice].join('\n');
  if (!answer.ok) {
    const complaint = replyComplaint(canonical, answer);
    const message = answer.code ? complaint.message : advised(complaint.message);
    throw new Failure({ ...complaint, message });
  }
  const { isError, text, notice } = resultText(answer.json, out.width !== Infinity);
  if (notice !== undefined) stderr.log('warning', notice);
  if (json) out.rawJson(answer.json);
  if (isError) {
    throw new Failure({ exit: EXIT.toolError, code: 'tool-error', message: advised(text) });
  }
  if (!json) out.lines(text);
  return EXIT.ok;
}

/**
 * Opens an admin socket for this call, so that another terminal can approve it. Returns a function that closes it. The call
 * goes on if it cannot be opened.
 */
async function openApprovalSocket(
  { file, env, stderr }: Context,
  { shared }: Gateway,
): Promise<() => Promise<void>> {
  const router = new AdminRouter();
  serveApprovals(router, shared.queue);
  const identity = { pid: process.pid, config: file, version: VERSION, isBrief: true };
  const server = new AdminServer({ identity, router, state: stateFolder(homeIn(env)) });
  try {
    await server.open();
  } catch (error) {
    stderr.log('warning', `Approvals cannot reach this call: ${(error as Error).message}`);
  }
  return () => server.close();
}
