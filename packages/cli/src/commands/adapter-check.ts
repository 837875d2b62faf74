/** `callsign adapter check`: checks a live MCPAQL server against the protocol. Sends only harmless requests. */

import { checkConformance, type Check, type ConformanceReport } from '@callsign/mcpaql/authoring';
import type { Meaning } from '@callsign/terminal';

import { toolClient } from '../adapter/checked-server.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { withProgress } from '../command/with-progress.js';
import { adhocConfig } from '../fleet/adhoc-config.js';
import { withRunning } from '../fleet/running-gateway.js';

const TINTS: Readonly<Record<Check['outcome'], Meaning>> = {
  passed: 'good',
  failed: 'bad',
  skipped: 'aside',
};

export const command: CommandModule = {
  takesRest: true,

  describe(line) {
    line
      .description(
        'Starts an MCPAQL server and checks its tools, labels and answers against the protocol. ' +
          'Exits with 1 if a required rule is broken.',
      )
      .usage('-- COMMAND | URL')
      .argument('[url]', 'the address of a running server');
  },

  async run(context, { words: [url], rest }) {
    if ((url === undefined) === (rest === undefined) || rest?.length === 0) {
      throw usageFailure('Give the address of a server, or its command after "--".');
    }
    const config = adhocConfig(rest ? { command: rest } : { url: url! }, context);
    const report = await withRunning(context, config, (gateway, signal) =>
      withProgress(context, 'Asking the server', () =>
        checkConformance(toolClient(gateway, signal)),
      ),
    );
    show(context, report);
    return report.conforms ? EXIT.ok : EXIT.usage;
  },
};

function show({ json, out, say }: Context, report: ConformanceReport): void {
  if (json) {
    out.json(report);
    return;
  }
  out.table(report.checks, [
    { title: 'OUTCOME', text: ({ outcome }) => outcome, tint: ({ outcome }) => TINTS[outcome] },
    { title: 'LEVEL', text: ({ level }) => level },
    { title: 'RULE', text: ({ id }) => id, tint: () => 'name' },
    {
      title: 'SAYS',
      text: ({ says, detail }) => (detail === undefined ? says : `${says} Seen: ${detail}`),
    },
  ]);
  const { passed, failed, skipped } = report.summary;
  const verdict = report.conforms ? 'It conforms' : 'It does not conform';
  say(`${verdict}: ${passed} passed, ${failed} failed, ${skipped} skipped.`);
}
