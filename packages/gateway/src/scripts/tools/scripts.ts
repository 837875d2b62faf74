/** The tools `callsign:run` and `callsign:api`, and the scripts that run or wait. */

import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import {
  type Call,
  type Caller,
  CallsignError,
  type Clock,
  type Entry,
  memberText,
  quoted,
  type RedactOptions,
  type Reply,
  resultOf,
  showArguments,
  toolErrorOf,
  visibleLine,
  within,
} from '@callsign/core';
import type { StoredCall, StoredRecord } from '@callsign/audit';
import { explainEffect } from '@callsign/effects';
import {
  type Approvals,
  canShowForm,
  type PolicySettings,
  type ScriptCall,
} from '@callsign/governance';

import type { ScriptSettings } from '../../config/settings.js';
import { ProgramThreads } from '../program/thread-program.js';
import {
  type Answer,
  type ReportedCall,
  Script,
  type ScriptReport,
  type SentCall,
  type ShownCall,
} from '../run/script.js';
import { declarationOf } from './declarations.js';
import { refusedCall, sendInner } from './inner-call.js';
import { type RecordedScript, recordedScript } from './recorded-script.js';
import {
  answerOfScript,
  countsOf,
  questionForScript,
  type ScriptQuestion,
} from './script-question.js';

export interface ScriptsOptions {
  /** `undefined`: scripts are off. */
  readonly settings: () => ScriptSettings | undefined;
  readonly policy: () => PolicySettings;
  readonly approvals: Approvals;
  readonly clock: Clock;
  /** All tools that a caller may use. */
  readonly tools: (caller: Caller) => readonly Entry[];
  /** Answers and records a call to a tool that the caller may not use. `undefined`: it is unknown to the caller. */
  readonly refuse: (tool: string, call: Call) => Promise<Reply> | undefined;
  /** The records of a script. `undefined`: calls are not recorded. */
  readonly recorded: (script: string) => Promise<readonly StoredRecord[] | undefined>;
}

interface Known {
  readonly id: string;
  readonly owner: string;
  readonly purpose: string;
  readonly script: Script;
  /** The call that waits for the script now, or did last. */
  outer: Call;
  running: Promise<Reply> | undefined;
  /** Its answer, if it has ended. */
  reply: Reply | undefined;
  /** Told when the script waits for the operator. */
  onOperator: () => void;
  /** Told when another call waits for the script. */
  onMoved: () => void;
}

const OWN = 'callsign:';
const MAX_NAME = 100;
const MAX_CODE = 100_000;
/** Scripts that are remembered, for `resume`. */
const MAX_KNOWN = 200;
/** Characters of the calls of one script and their answers. */
const MAX_LOG = 32e6;
/** Those of all scripts that were stopped and may go on. */
const MAX_STOPPED = 64e6;
const MAX_RUNNING = 16;
const MAX_FOUND = 40;
/** Of the best match. Declarations cost tokens, and a tool that only shares a common word is no match. */
const LEAST_SCORE = 0.5;
const MAX_QUESTIONS = 20;
/** Calls of one question. A person can read no more with care. */
const MAX_SHOWN = 50;
/** Characters of all arguments in one question. */
const SHOWN_LENGTH = 16_000;
const SHOWN_EACH = 400;
const REPORTED_LENGTH = 300;
const UNKNOWN_ADVICE =
  'It is not known whether the calls in "unknown" took effect. Check before you make them again.';
const SCRIPT_ID = /^[\w-]{12}$/;
/** Clients give up after about a minute. Before that, a script that waits for the operator answers with its id. */
const OPERATOR_WAIT_MS = 40_000;

const RUN_TEXT = `Runs a short JavaScript program over the tools of this gateway, in one call. Use it for loops, for many calls, or to pass results from one tool to another.
The program is the body of an async function. \`await tools.SERVER.TOOL({ ... })\` or \`await call("server:tool", { ... })\` calls a tool and gives its structured content, or its text (parsed if it is JSON), and throws if the tool fails. End with \`return\` of what you need. callsign:api shows the functions with their types.
Calls that read run at once. All other calls are shown to a person, in one question if they do not depend on each other. So make all of them before you use a result of one of them. There is no network, no file, no timer. A call that was not approved throws.
If the answer says that the script waits, call this tool again with { "resume": "ID" }.`;

export class Scripts {
  readonly #options: ScriptsOptions;
  /** Oldest first. */
  readonly #known = new Map<string, Known>();
  readonly #threads = new ProgramThreads();

  constructor(options: ScriptsOptions) {
    this.#options = options;
  }

  /** The tools, for `OwnTools`. */
  readonly ownTools = [
    {
      name: 'run',
      title: 'Run a script',
      description: RUN_TEXT,
      inputSchema: {
        type: 'object',
        properties: {
          code: { type: 'string', description: 'The body of an async function in JavaScript.' },
          purpose: {
            type: 'string',
            description: 'What the script is for, in one sentence. People see it.',
          },
          resume: { type: 'string', description: 'The id of a script that waits or was stopped.' },
        },
      },
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
      isOn: (profile?: string) => this.#isOn(profile),
      call: (call: Call) => this.#run(call),
    },
    {
      name: 'api',
      title: 'Functions for scripts',
      description:
        'Gives TypeScript declarations of the tools that a program of callsign:run can call, with their labels. Words of names and descriptions, or nothing for all.',
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string', description: 'Words, such as "create issue".' } },
      },
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      isOn: (profile?: string) => this.#isOn(profile),
      call: (call: Call) => this.#api(call),
    },
  ] as const;

  /** The gateway stops. */
  close(): void {
    for (const { script } of this.#known.values()) script.stop('The gateway stopped.');
    this.#threads.close();
  }

  #isOn(profile: string | undefined): boolean {
    const settings = this.#options.settings();
    if (!settings) return false;
    const { clients } = settings;
    if (clients === undefined) return true;
    return profile === undefined ? clients.length > 0 : clients.includes(profile);
  }

  // oxlint-disable-next-line require-await -- `OwnTool` answers with a promise
  async #api(call: Call): Promise<Reply> {
    // A script probably follows.
    this.#threads.prepare(bytesOf(this.#options.settings()!));
    const { query } = (call.arguments ?? {}) as { query?: unknown };
    const words = typeof query === 'string' ? query.toLowerCase().match(/[\p{L}\d]+/gu) : undefined;
    const rated = this.#options
      .tools(call.caller)
      .filter(({ canonical }) => !canonical.startsWith(OWN))
      .map((entry) => ({ entry, score: scoreOf(entry, words ?? []) }))
      .filter(({ score }) => !words || score > 0)
      .toSorted((a, b) => b.score - a.score);
    const least = (rated[0]?.score ?? 0) * LEAST_SCORE;
    const good = rated.filter(({ score }) => score >= least);
    const shown = good.slice(0, MAX_FOUND).map(({ entry }) => declarationOf(entry));
    const more = rated.length - shown.length;
    if (more > 0) shown.push(`// ${more} more that match less: ask with other words.`);
    if (shown.length === 0) shown.push('// No tool matches. Ask with other words, or without any.');
    return resultOf({ content: [{ type: 'text', text: shown.join('\n') }] });
  }

  async #run(call: Call): Promise<Reply> {
    const { code, purpose, resume } = (call.arguments ?? {}) as Record<string, unknown>;
    if (typeof resume === 'string') {
      const known = this.#known.get(resume);
      if (!known) return this.#lookUp(resume, call);
      if (known.owner !== ownerOf(call.caller)) return noScript(resume);
      if (known.script.isStopped && !known.running) this.#checkRoom(call.caller);
      return this.#attend(known, call);
    }
    if (typeof code !== 'string' || code.length > MAX_CODE)
      throw new CallsignError('invalid-params', {
        reason: `code must be a text of at most ${MAX_CODE} characters`,
      });
    if (typeof purpose !== 'string' || purpose.trim() === '')
      throw new CallsignError('invalid-params', { reason: 'purpose must be a sentence' });
    this.#checkRoom(call.caller);
    return this.#attend(this.#create(code, purpose, call), call);
  }

  /** Throws if too many scripts run for one more of this caller. */
  #checkRoom({ principal }: Caller): void {
    const running = [...this.#known.values()].filter((known) => known.running);
    if (running.length >= MAX_RUNNING)
      throw new CallsignError('too-many', { limit: MAX_RUNNING, what: 'scripts at once' });
    if (!principal) return;
    const isOwn = ({ outer }: Known): boolean => outer.caller.principal?.name === principal.name;
    const own = running.filter(isOwn).length;
    // Half of what others leave, so that there is a place for the next caller.
    const limit = Math.ceil((MAX_RUNNING - (running.length - own)) / 2);
    if (own >= limit)
      throw new CallsignError('too-many', { limit, what: 'scripts of one caller at once' });
  }

  /** A script of a gateway that has stopped, or one that was forgotten. It cannot go on, but its records say what it did. */
  async #lookUp(id: string, call: Call): Promise<Reply> {
    const records = SCRIPT_ID.test(id) ? await this.#options.recorded(id) : [];
    const found = recordedScript(records ?? [], `${OWN}run`, call.caller);
    if (!found) return noScript(id);
    call.context.runs = id;
    return recordedReply(id, found);
  }

  #create(code: string, purpose: string, call: Call): Known {
    const settings = this.#options.settings()!;
    const { calls, parallel, computeMs, outputLength, approvalMs } = settings;
    const script: Script = new Script(
      code,
      randomInt(2 ** 31),
      {
        calls,
        parallel,
        computeMs,
        memoryBytes: bytesOf(settings),
        outputLength,
        approvalMs,
        shown: MAX_SHOWN,
        questions: MAX_QUESTIONS,
        logLength: MAX_LOG,
      },
      {
        start: (start) => this.#threads.start(start),
        send: (tool, json) => this.#send(known, tool, json),
        ask: (shown, isAll, signal) => this.#ask(known, shown, isAll, signal),
        now: () => Date.now(),
        onProgress: (made) => tellProgress(known, made),
      },
    );
    const known: Known = {
      id: call.context.runs!,
      owner: ownerOf(call.caller),
      purpose,
      script,
      outer: call,
      running: undefined,
      reply: undefined,
      onOperator: () => undefined,
      onMoved: () => undefined,
    };
    this.#known.set(known.id, known);
    this.#forget();
    return known;
  }

  /** The oldest scripts, if there are too many, or if those that were stopped keep too much. */
  #forget(): void {
    const idle = [...this.#known.values()].filter(({ running }) => !running);
    let length = idle.reduce((sum, { script }) => sum + script.length, 0);
    for (const { id, script } of idle) {
      if (this.#known.size <= MAX_KNOWN && length <= MAX_STOPPED) return;
      this.#known.delete(id);
      length -= script.length;
    }
  }

  /** Waits for the script with this call. Starts it if it does not run. */
  async #attend(known: Known, call: Call): Promise<Reply> {
    if (known.reply && !known.script.isStopped) return known.reply;
    known.outer = call;
    known.onMoved();
    call.context.runs = known.id;
    const onCancel = (): void => {
      // The client may have reconnected, and its old connection ends later.
      if (known.outer !== call) return;
      known.script.stop('The caller cancelled the script.');
    };
    call.context.onCancel(onCancel);
    known.running ??= this.#start(known);
    let tellLate!: () => void;
    const late = new Promise<undefined>((resolve) => {
      tellLate = () => {
        // A task may wait as long as it likes.
        if (!call.context.onWaiting)
          this.#options.clock.after(OPERATOR_WAIT_MS, () => resolve(undefined));
      };
    });
    known.onOperator = tellLate;
    try {
      return (await Promise.race([known.running, late])) ?? waitingReply(known.id);
    } finally {
      call.context.offCancel(onCancel);
    }
  }

  async #start(known: Known): Promise<Reply> {
    const reply = replyOf(known.id, await known.script.run());
    [known.reply, known.running] = [reply, undefined];
    this.#forget();
    return reply;
  }

  #send({ id, outer }: Known, tool: string, json: string): SentCall {
    if (tool.startsWith(OWN))
      return refusedCall('A script cannot call tools of the gateway itself.');
    const unknown = (): Promise<Reply> =>
      Promise.resolve(
        toolErrorOf(
          `There is no tool ${visibleLine(tool, MAX_NAME)}. callsign:api shows the tools.`,
        ),
      );
    const route = this.#find(outer.caller, tool)?.route ?? {
      send: (call: Call) => this.#options.refuse(tool, call) ?? unknown(),
    };
    return sendInner({ tool, route, json, script: id, outer });
  }

  #find(caller: Caller, tool: string): Entry | undefined {
    return this.#options.tools(caller).find(({ canonical }) => canonical === tool);
  }

  /** The script asks a person, and the call that waits for the script waits too. */
  #ask(
    known: Known,
    shown: readonly ShownCall[],
    isAll: boolean,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { clock } = this.#options;
    const { context } = known.outer;
    return context.whileWaiting(this.#askPerson(known, shown, isAll, signal), () => clock.now());
  }

  async #askPerson(
    known: Known,
    shown: readonly ShownCall[],
    isAll: boolean,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { purpose, id } = known;
    const { redact, confirm } = this.#options.policy();
    const length = Math.max(SHOWN_EACH, Math.floor(SHOWN_LENGTH / shown.length));
    const limits = { ...redact, maxLength: length, maxText: length };
    const calls: ScriptCall[] = [];
    for (const each of shown) {
      calls.push(this.#listed(known.outer.caller, each, limits));
      // Each is searched for secrets. Calls of other clients go on in between.
      await setImmediate();
    }
    const question: ScriptQuestion = { calls, purpose, isAll };
    for (;;) {
      const { context, caller } = known.outer;
      if (signal.aborted) return { refusal: 'the script was stopped' };
      if (!context.ask || !canShowForm(caller)) break;
      const answer = await this.#askUser(known, question, signal);
      if (answer) return answer;
    }
    const { outer } = known;
    if (confirm.whenClientCannotAsk === 'refuse')
      return { refusal: 'this client cannot ask its user' };
    const { principal, client } = outer.caller;
    const ticket = this.#options.approvals.request({
      summary: {
        tool: `${OWN}run`,
        title: `Script ${id}: ${shown.length} calls`,
        effect: countsOf(question.calls),
        arguments: jsonOf(question.calls),
        hidden: question.calls.flatMap(({ hidden }) => hidden),
        rule: `a script makes these calls; the model says that it is for ${quoted(visibleLine(purpose, 200))}`,
        calls: question.calls,
      },
      caller: {
        name: principal && visibleLine(principal.name, 100),
        client: visibleLine(client.name, 100),
      },
      timeoutMs: confirm.timeoutMs,
      furthest: 'once',
      wholeArguments: () => {
        const unlimited = { ...redact, isWhole: true };
        const whole = shown.map((each) => this.#listed(outer.caller, each, unlimited));
        const hidden = whole.flatMap((each) => each.hidden);
        return { arguments: jsonOf(whole), hidden, calls: whole };
      },
    });
    signal.addEventListener('abort', () => ticket.withdraw());
    if (ticket.id !== undefined) await outer.context.onWaiting?.(ticket.id);
    known.onOperator();
    const answer = await ticket.answer;
    await outer.context.onWaiting?.(undefined);
    if ('refusal' in answer) return answer;
    return { approved: new Set(answer.only ?? shown.map(({ number }) => number)) };
  }

  /** `undefined`: the question was taken back. If another call waits for the script now, it asks instead. */
  async #askUser(
    known: Known,
    question: ScriptQuestion,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { timeoutMs } = this.#options.policy().confirm;
    let takeBack!: () => void;
    const withdrawn = new Promise<undefined>((resolve) => {
      takeBack = () => resolve(undefined);
    });
    known.onMoved = takeBack;
    signal.addEventListener('abort', takeBack);
    const asked = known.outer.context.ask!({ ...questionForScript(question), withdrawn });
    try {
      const first = Promise.race([asked, withdrawn]);
      const reply = await within(this.#options.clock, timeoutMs, first);
      return reply && answerOfScript(reply, question.calls.length);
    } catch {
      takeBack();
      return { refusal: `the user did not answer within ${timeoutMs / 1000} s` };
    } finally {
      known.onMoved = () => undefined;
    }
  }

  #listed(caller: Caller, { number, tool, json }: ShownCall, redact: RedactOptions): ScriptCall {
    const entry = this.#find(caller, tool);
    const schema = entry && memberText(entry.item.json, 'inputSchema');
    const { text, hidden } = showArguments(json, schema, redact);
    return {
      number,
      tool,
      arguments: text,
      hidden,
      effect: entry ? explainEffect(entry.hints) : 'This tool is not there any more.',
      risk: entry?.risk ?? 'destructive',
    };
  }
}

function bytesOf({ memoryMb }: ScriptSettings): number {
  return memoryMb * 2 ** 20;
}

/** Who may resume a script: the same person with the same client. Its id cannot be guessed. */
function ownerOf({ principal, client }: Caller): string {
  return JSON.stringify([principal?.name, client.name]);
}

function scoreOf({ canonical, item }: Entry, words: readonly string[]): number {
  const [name, text] = [canonical.toLowerCase(), item.json.toLowerCase()];
  return words.reduce(
    (sum, word) => sum + (name.includes(word) ? 3 : text.includes(word) ? 1 : 0),
    0,
  );
}

function tellProgress({ outer, id }: Known, made: number): void {
  if (!outer.wantsProgress) return;
  const head = '{"progressToken":';
  const message = JSON.stringify(`Script ${id}: ${made} ${made === 1 ? 'call' : 'calls'} made.`);
  outer.context.progress?.(
    `${head}0,"progress":${made},"message":${message}}`,
    head.length,
    head.length + 1,
  );
}

function waitingReply(id: string): Reply {
  const text = `Script ${id} waits for the approval of a person. Nothing of it is lost. To wait on, call this tool with { "resume": "${id}" }.`;
  return resultOf({ content: [{ type: 'text', text }] });
}

function jsonOf(calls: readonly ScriptCall[]): string {
  const texts = calls.map(
    ({ tool, arguments: given }) => `{"tool":${JSON.stringify(tool)},"arguments":${given}}`,
  );
  return `[${texts.join(',')}]`;
}

function noScript(id: string): Reply {
  return toolErrorOf(
    `There is no script ${visibleLine(id, 40)} of yours. It may have been forgotten: run it again.`,
  );
}

function recordedReply(id: string, { sent, notSent, unknown, reads }: RecordedScript): Reply {
  const body = {
    script: id,
    error:
      'The script does not run any more, because its gateway stopped. It cannot go on. This is all that its records have: run what is missing as a new script.',
    ...(sent.length > 0 ? { sent: sent.map(recordedCall) } : {}),
    ...(notSent.length > 0 ? { notSent: notSent.map(recordedCall) } : {}),
    ...(unknown.length > 0 ? { unknown: unknown.map(recordedCall), advice: UNKNOWN_ADVICE } : {}),
    reads,
  };
  return toolErrorOf(JSON.stringify(body));
}

/** The arguments, if records keep them. */
function recordedCall({ tool, arguments: given, time, outcome, id }: StoredCall): object {
  return {
    tool,
    ...(given === null ? {} : { arguments: visibleLine(given, REPORTED_LENGTH) }),
    time,
    ...(outcome === null ? {} : { outcome }),
    record: id,
  };
}

function short({ tool, json, ...more }: ReportedCall): object {
  return { tool, arguments: visibleLine(json, REPORTED_LENGTH), ...more };
}

function replyOf(id: string, report: ScriptReport): Reply {
  const { json, error, printed, sent, notSent, unknown, reads, questions } = report;
  const body = {
    script: id,
    ...(error === undefined ? {} : { error }),
    ...(printed === '' ? {} : { printed }),
    ...(sent.length > 0 ? { sent: sent.map(short) } : {}),
    ...(notSent.length > 0 ? { notSent: notSent.map(short) } : {}),
    ...(unknown.length > 0 ? { unknown: unknown.map(short), advice: UNKNOWN_ADVICE } : {}),
    reads,
    questions,
  };
  const head = JSON.stringify(body);
  const text = json === undefined ? head : `${head.slice(0, -1)},"result":${json}}`;
  return resultOf({
    content: [{ type: 'text', text }],
    ...(error === undefined ? {} : { isError: true }),
  });
}
