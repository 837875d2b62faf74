/** `callsign audit stats`: counts calls and errors, and shows how long calls took. */

import type { Stats, StatsGroup } from '@callsign/audit';
import type { Column } from '@callsign/terminal';

import {
  asking,
  describeFilter,
  describeLog,
  filterOf,
  type FilterOptions,
  type LogOptions,
  openLog,
  sayWhose,
} from '../audit/audit-log.js';
import { msText } from '../audit/audit-text.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { readSoFar, withProgress } from '../command/with-progress.js';

/** Groups of one kind that are shown to people. `--json` has all of them. */
const SHOWN = 20;

export const command: CommandModule<FilterOptions & LogOptions> = {
  describe(line) {
    line.description(
      'Counts calls, errors and tokens and shows how long calls took, by server, tool, caller and day.',
    );
    describeLog(describeFilter(line));
  },

  async run(context, { options }) {
    const { json, out } = context;
    const filter = filterOf(options);
    const log = await openLog(context, options);
    const stats = await withProgress(context, 'Counting calls', (progress) =>
      asking(log, () => log.reader.stats(filter, readSoFar(progress))),
    );
    sayWhose(context, log);
    if (json) out.json({ folder: log.folder, ...stats });
    else show(context, stats);
    return EXIT.ok;
  },
};

function show({ out, say }: Context, { total, servers, tools, callers, days }: Stats): void {
  if (total.calls === 0) {
    say('No calls match.');
    return;
  }
  out.table([{ ...total, name: 'all' }], columnsOf(''));
  for (const [title, groups] of [
    ['SERVER', servers],
    ['TOOL', tools],
    ['CALLER', callers],
    ['DAY', days.slice(-SHOWN)],
  ] as const) {
    out.lines('');
    out.table(groups.slice(0, SHOWN), columnsOf(title));
    if (groups.length > SHOWN) out.lines(`… and ${groups.length - SHOWN} more`);
  }
}

function columnsOf(title: string): readonly Column<StatsGroup>[] {
  return [
    { title, text: ({ name }) => name, tint: () => 'name' },
    { title: 'CALLS', text: ({ calls }) => String(calls) },
    {
      title: 'ERRORS',
      text: ({ errors }) => String(errors),
      tint: ({ errors }) => (errors > 0 ? 'warning' : undefined),
    },
    {
      title: 'TOKENS',
      text: ({ tokens }) => (tokens === undefined ? '' : tokens.toLocaleString('en')),
    },
    { title: 'P50 MS', text: ({ p50 }) => msText(p50) },
    { title: 'P95 MS', text: ({ p95 }) => msText(p95) },
  ];
}
