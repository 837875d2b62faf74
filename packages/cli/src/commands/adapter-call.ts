/** `callsign adapter call`: calls one operation of an adapter. */

import { nearestWord } from '@callsign/config';
import { withMembers } from '@callsign/core';
import { paramsWithYes, wantedYes, type WantedYes } from '@callsign/governance';
import { askWhether, onOneLine } from '@callsign/terminal';

import { openAdapters, type AdapterWords } from '../adapter/open-adapters.js';
import {
  OperationCaller,
  operationNames,
  parametersOf,
  type OperationAnswer,
  type OperationError,
} from '../adapter/operation-call.js';
import { requireAdapter } from '../adapter/require-adapter.js';
import { missingIn, readArguments } from '../call/call-arguments.js';
import { promptParameter } from '../call/prompt-parameter.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { interruptible } from '../command/interruptible.js';
import { withProgress } from '../command/with-progress.js';

interface CallOptions extends AdapterWords {
  readonly args?: string;
  readonly yes?: true;
}

export const command: CommandModule<CallOptions> = {
  describe(line) {
    line
      .description('Calls an operation of an adapter and prints what it answers.')
      .usage('FILE OPERATION [key=value | key:=JSON]... | --args JSON')
      .argument('<file>', 'the adapter')
      .argument('<operation>', 'one of its operations, or introspect')
      .argument('[arguments...]', 'key=value, typed by the adapter, or key:=JSON')
      .option('--args <json>', 'all parameters as a JSON object')
      .option('--yes', 'confirm an operation that asks for confirmation')
      .option('--base-url <url>', "the address of the API, instead of the adapter's own")
      .option('--downloads <folder>', 'save binary answers as files in this folder');
  },

  async run(context, { words: [file = '', operation = '', ...words], options }) {
    const adapter = await requireAdapter(file, context);
    const opened = await openAdapters(context, [adapter], options);
    const answer = async (signal: AbortSignal): Promise<OperationAnswer> => {
      const [source] = opened.sources;
      const known = operationNames(source!);
      if (!known.includes(operation)) throw unknownOperation(operation, known);
      const parameters = parametersOf(adapter.operations.get(operation));
      let params = readArguments({ words, whole: options.args }, parameters);
      for (const missing of context.isInteractive ? missingIn(params, parameters) : []) {
        params = withMembers(params, { [missing.name]: await promptParameter(missing) });
      }
      const caller = new OperationCaller(source!);
      const call = (given: string): Promise<OperationAnswer> =>
        withProgress(context, `Calling ${operation}`, () => caller.call(operation, given, signal));
      return confirmed(context, await call(params), options, (wanted) =>
        call(paramsWithYes(params, wanted)),
      );
    };
    return show(context, operation, await interruptible(answer, () => opened.close()));
  },
};

/** An operation that needs a confirmation is called again with it. */
async function confirmed(
  { isInteractive }: Context,
  answer: OperationAnswer,
  { yes }: CallOptions,
  again: (wanted: WantedYes) => Promise<OperationAnswer>,
): Promise<OperationAnswer> {
  const wanted = wantedYes(answer.error);
  if (!wanted) return answer;
  const question = onOneLine(wanted.question);
  if (yes || (isInteractive && (await askWhether(question)))) return again(wanted);
  const message = isInteractive
    ? 'Not confirmed; nothing was done.'
    : `${question} To confirm: --yes`;
  throw new Failure({ exit: EXIT.denied, code: 'not-approved', message });
}

function show({ json, out }: Context, operation: string, answer: OperationAnswer): number {
  if (json) out.rawJson(answer.json);
  if (answer.error) throw failed(operation, answer.error);
  if (!json) {
    const { data } = JSON.parse(answer.json) as { readonly data: unknown };
    out.rawJson(JSON.stringify(data));
  }
  return EXIT.ok;
}

function failed(operation: string, { code, message }: OperationError): Failure {
  return new Failure({
    exit: exitOf(code),
    code: 'tool-error',
    message: `${operation} answered ${code}: ${message}`,
  });
}

function exitOf(code: string): number {
  if (code.startsWith('AUTH_')) return EXIT.authentication;
  if (code.startsWith('PERMISSION_')) return EXIT.denied;
  return code.startsWith('TRANSPORT_') ? EXIT.unreachable : EXIT.toolError;
}

function unknownOperation(operation: string, known: readonly string[]): Failure {
  const nearest = nearestWord(operation, known);
  const hint = nearest === undefined ? '' : ` Did you mean: ${nearest}?`;
  const message = `There is no operation "${operation}".${hint} Operations: ${known.join(', ')}.`;
  return new Failure({ exit: EXIT.usage, code: 'unknown-operation', message });
}
