/** `callsign adapter test`: calls the operations of an adapter that are proven to read, at the real API. */

import { nearestWord } from '@callsign/config';
import { isObject } from '@callsign/core';
import type { Adapter } from '@callsign/mcpaql';
import { type GivenParams, type TriedOperation, tryReads } from '@callsign/mcpaql/authoring';
import type { Meaning } from '@callsign/terminal';

import { openAdapters } from '../adapter/open-adapters.js';
import { OperationCaller } from '../adapter/operation-call.js';
import { requireAdapter } from '../adapter/require-adapter.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { interruptible } from '../command/interruptible.js';
import { withProgress } from '../command/with-progress.js';

interface TestOptions {
  readonly params?: string;
  readonly baseUrl?: string;
}

type Envelope = Awaited<ReturnType<Parameters<typeof tryReads>[1]['call']>>;

const TINTS: Readonly<Record<TriedOperation['outcome'], Meaning>> = {
  passed: 'good',
  failed: 'bad',
  skipped: 'aside',
};

export const command: CommandModule<TestOptions> = {
  describe(line) {
    line
      .description(
        'Calls the operations of an adapter that are proven to read, and compares what the API answers ' +
          'with what the adapter says. Nothing else is called. Exits with 1 if one fails, or if none could be called.',
      )
      .argument('<file>', 'the adapter')
      .argument('[operations...]', 'only these operations')
      .option(
        '--params <json>',
        'values of parameters by operation, or by * for all: {"get_ship": {"id": 7}}',
      )
      .option('--base-url <url>', "the address of the API, instead of the adapter's own");
  },

  async run(context, { words: [file = '', ...only], options }) {
    const adapter = await requireAdapter(file, context);
    const given = readParams(options.params, adapter);
    for (const name of only) requireOperation(name, adapter);
    const opened = await openAdapters(context, [adapter], options);
    const caller = new OperationCaller(opened.sources[0]!);
    const tried = await interruptible(
      (signal) =>
        withProgress(context, `Calling ${adapter.displayName}`, () =>
          tryReads(adapter, {
            given,
            only,
            async call(operation, params) {
              const { json } = await caller.call(operation, JSON.stringify(params), signal);
              return JSON.parse(json) as Envelope;
            },
          }),
        ),
      () => opened.close(),
    );
    const summary = countOf(tried);
    show(context, tried, summary);
    return summary.failed === 0 && summary.passed > 0 ? EXIT.ok : EXIT.usage;
  },
};

type Summary = Readonly<Record<TriedOperation['outcome'], number>>;

function countOf(tried: readonly TriedOperation[]): Summary {
  const of = (outcome: TriedOperation['outcome']): number =>
    tried.filter((each) => each.outcome === outcome).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

function show(
  { json, out, say }: Context,
  tried: readonly TriedOperation[],
  summary: Summary,
): void {
  if (json) {
    out.json({ summary, operations: tried });
    return;
  }
  out.table(tried, [
    { title: 'OUTCOME', text: ({ outcome }) => outcome, tint: ({ outcome }) => TINTS[outcome] },
    { title: 'OPERATION', text: ({ operation }) => operation, tint: () => 'name' },
    {
      title: 'STATUS',
      text: ({ status = '', httpStatus }) =>
        httpStatus === undefined ? status : `${status} (HTTP ${httpStatus})`,
    },
    { title: 'SHAPE', text: ({ shape = '' }) => shape },
    {
      title: 'TIME',
      text: ({ milliseconds }) => (milliseconds === undefined ? '' : `${milliseconds} ms`),
    },
    { title: 'WHY', text: ({ detail = '' }) => detail },
  ]);
  const { passed, failed, skipped } = summary;
  const none = passed + failed === 0 ? ' No operation could be called.' : '';
  say(`${passed} passed, ${failed} failed, ${skipped} skipped.${none}`);
}

function readParams(text: string | undefined, adapter: Adapter): GivenParams {
  if (text === undefined) return {};
  const given = parsed(text);
  if (!isObject(given) || !Object.values(given).every(isObject)) {
    throw usageFailure(
      '--params takes JSON such as {"get_ship": {"id": 7}, "*": {"owner": "ada"}}.',
    );
  }
  for (const name of Object.keys(given)) if (name !== '*') requireOperation(name, adapter);
  return given as GivenParams;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requireOperation(name: string, { operations }: Adapter): void {
  if (operations.has(name)) return;
  const nearest = nearestWord(name, [...operations.keys()]);
  const hint = nearest === undefined ? '' : ` Did you mean: ${nearest}?`;
  throw usageFailure(`There is no operation "${name}".${hint}`);
}
