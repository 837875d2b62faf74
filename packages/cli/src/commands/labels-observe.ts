/** `callsign labels observe`: calls tools in a sandbox and reports what they tried. */

import { filterFrom } from '@callsign/audit/query';
import { homeIn, isRecord, stateFolder } from '@callsign/config';
import { isEmpty, observationInWords, ObservationStore } from '@callsign/gateway/host';
import { counted, onOneLine } from '@callsign/terminal';

import { asking, openLog } from '../audit/audit-log.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { unknownServer } from '../config-file/config-text.js';
import { requireConfig } from '../config-file/required-config.js';
import { type ObservedTool, observeTools } from '../observed/observe-tools.js';
import { requireObservable } from '../observed/observed-run.js';

interface ObserveOptions {
  readonly args?: string;
  readonly records?: true;
  readonly config?: string;
}

export const command: CommandModule<ObserveOptions> = {
  describe(line) {
    line
      .description(
        'Calls tools of a local server in a sandbox that changes no files and reaches no network, and ' +
          'reports what they tried: files, programs, addresses. What they tried can raise the risk of a ' +
          'label, and never lowers it. Without a tool, every tool that is said to read is called. ' +
          'Needs Linux, bubblewrap and strace.',
      )
      .argument('<server>', 'its key in the configuration')
      .argument('[tool]', 'only this tool')
      .option('--args <json>', 'the arguments as a JSON object; default: made from the schema')
      .option('--records', 'use the arguments of recorded calls, of any tool that has some');
  },

  async run(context, { words: [key = '', tool], options }) {
    const { json, out, say } = context;
    const config = await requireConfig(context);
    const found = config.servers.find((server) => server.key === key);
    if (!found) throw unknownServer(key, config.servers);
    const server = requireObservable(found);
    const { args, records } = options;
    if (args !== undefined && records) throw usageFailure('Give --args or --records, not both.');
    const recorded = records ? await recordedArguments(context, options, key) : undefined;
    const observed = await observeTools(context, config, server, { tool, args, recorded });
    const store = new ObservationStore(stateFolder(homeIn(context.env)));
    store.add(
      server,
      observed.map(({ observation }) => observation),
    );
    const contradicted = observed.filter(({ contradictions }) => contradictions.length > 0);
    if (json) {
      out.json({ server: key, tools: observed.map(asJson) });
      return EXIT.ok;
    }
    if (observed.length > 0) {
      out.table(observed, [
        { title: 'TOOL', text: ({ entry }) => entry.ref.tool, tint: () => 'name', isWhole: true },
        { title: 'CALL', text: ({ observation }) => observation.outcome },
        { title: 'OBSERVED', text: ({ observation }) => observationInWords(observation) },
      ]);
    }
    for (const { entry, contradictions } of contradicted) {
      for (const sentence of contradictions) {
        out.lines(out.paint('warning', onOneLine(`${entry.canonical}: ${sentence}`)));
      }
    }
    const quiet = observed.filter(({ observation }) => isEmpty(observation)).length;
    const advice = contradicted.length > 0 ? ` To see the labels: callsign tools ${key} --why` : '';
    say(
      `Observed ${counted(observed.length, 'tool')}: nothing in ${quiet}, and ` +
        `${counted(contradicted.length, 'tool')} contradicted. That nothing was observed proves nothing.${advice}`,
    );
    return EXIT.ok;
  },
};

function asJson({ entry, observation, contradictions }: ObservedTool): object {
  const { tool, version, at, outcome, changed, destroyed, ran, reached, doubts } = observation;
  const claim = entry.claim ?? null;
  const seen = { changed, destroyed, ran, reached, doubts };
  return { tool, claim, version: version ?? null, at, outcome, ...seen, contradictions };
}

/** Older calls are not looked at. */
const NEWEST = 5_000;

/** What clients really send, by canonical name: the arguments of the newest call that ended well, as JSON text. */
async function recordedArguments(
  context: Context,
  options: { readonly config?: string },
  server: string,
): Promise<ReadonlyMap<string, string>> {
  const filter = filterFrom({ server, outcome: 'ok' });
  const log = await openLog(context, options);
  const records = await asking(log, () => log.reader.list({ ...filter, limit: NEWEST }));
  const found = new Map<string, string>();
  for (const record of records) {
    if (!('arguments' in record) || record.arguments === null) continue;
    if (isRecord(JSON.parse(record.arguments))) found.set(record.tool, record.arguments);
  }
  if (found.size > 0) return found;
  throw new Failure({
    exit: EXIT.usage,
    code: 'no-arguments',
    message: `No recorded call of ${server} has its arguments. To keep them: audit.arguments = "redacted".`,
  });
}
