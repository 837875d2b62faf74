/** `callsign labels review`: asks about uncertain labels and saves the accepted ones. */

import type { Entry } from '@callsign/core';
import { reasonFor, RISKS, type Risk } from '@callsign/effects';
import { type AcceptedLabel, definitionOfTool, withLabels } from '@callsign/gateway/admin';
import { askWhich, counted, isInterrupted, onOneLine } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { editConfig, requireText, unknownServer } from '../config-file/config-text.js';
import { requireConfig } from '../config-file/required-config.js';
import { warnOfFleet } from '../fleet/fleet.js';
import { isInferred, needsReview } from '../governed/label-review.js';
import { openPlainFleet } from '../governed/plain-fleet.js';

interface ReviewOptions {
  readonly acceptInferred?: true;
}

const SKIP = 'skip';
const STOP = 'stop';
const SHOWN_LETTERS = 200;

export const command: CommandModule<ReviewOptions> = {
  describe(line) {
    line
      .description(
        'Goes through labels that are inferred, contradicted or missing. Those that you accept are ' +
          'written into the configuration. A label expires when the definition of its tool changes.',
      )
      .argument('[server]', 'only the tools of this server')
      .option('--accept-inferred', 'accept all inferred labels without asking');
  },

  async run(context, { words: [server], options: { acceptInferred } }) {
    const { file, json, out, say, isInteractive } = context;
    if (!acceptInferred && !isInteractive) {
      throw usageFailure(
        'A review needs a terminal. To accept what is inferred: --accept-inferred',
      );
    }
    requireText(file);
    const config = await requireConfig(context);
    if (server !== undefined && config.servers.every(({ key }) => key !== server)) {
      throw unknownServer(server, config.servers);
    }
    const fleet = await openPlainFleet(context, config, { refresh: true, only: server });
    warnOfFleet(context, fleet);
    const open = [...fleet.tools.values()].filter(
      (entry) => needsReview(entry) && (server === undefined || entry.ref.server === server),
    );
    const accepted: AcceptedLabel[] = [];
    let wasStopped = false;
    if (acceptInferred) {
      accepted.push(...open.filter(isInferred).map((entry) => ({ entry, risk: entry.risk })));
    } else wasStopped = await isInterrupted(() => ask(context, open, accepted));
    if (accepted.length > 0) await editConfig(context, (text) => withLabels(text, accepted));
    if (json)
      out.json({ file, accepted: accepted.map(asJson), left: open.length - accepted.length });
    else say(`${sentence(accepted, open.length - accepted.length)} Configuration: ${file}`);
    return wasStopped ? EXIT.interrupted : EXIT.ok;
  },
};

/** Asks one question per tool. Labels that were accepted before a stop, or before Ctrl-C, are saved. */
async function ask(
  { say }: Context,
  open: readonly Entry[],
  accepted: AcceptedLabel[],
): Promise<void> {
  for (const [index, entry] of open.entries()) {
    const { description } = definitionOfTool(entry);
    say(`\n${onOneLine(description).slice(0, SHOWN_LETTERS)}`);
    const question = `${index + 1}/${open.length} ${entry.canonical}: ${entry.risk}, ${reasonFor(entry)}`;
    const answer = await askWhich(onOneLine(question), choicesFor(entry.risk));
    if (answer === STOP) break;
    const risk = RISKS.find((each) => each === answer);
    if (risk !== undefined) accepted.push({ entry, risk });
  }
}

/** The current label is the first choice. */
function choicesFor(proposed: Risk): { value: string; label: string }[] {
  const others = RISKS.filter((risk) => risk !== proposed);
  return [
    { value: proposed, label: `${proposed} (as it is)` },
    ...others.map((risk) => ({ value: risk, label: risk })),
    { value: SKIP, label: 'skip' },
    { value: STOP, label: 'stop here' },
  ];
}

function asJson({ entry, risk }: AcceptedLabel): object {
  return { tool: entry.canonical, risk, because: reasonFor(entry) };
}

function sentence(accepted: readonly AcceptedLabel[], left: number): string {
  const rest = left === 0 ? 'None is left.' : `${left} left.`;
  if (accepted.length === 0) return `Accepted no label. ${rest}`;
  const parts = RISKS.flatMap((risk) => {
    const count = accepted.filter((label) => label.risk === risk).length;
    return count === 0 ? [] : `${count} ${risk}`;
  });
  return `Accepted ${counted(accepted.length, 'label')}: ${parts.join(', ')}. ${rest}`;
}
