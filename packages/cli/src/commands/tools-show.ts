/** `callsign tools show`: shows everything about one tool. */

import type { Entry, Verdict } from '@callsign/core';
import { explain, groundOf, reasonFor } from '@callsign/effects';
import { definitionOfTool, lintTools, type ToolDefinition } from '@callsign/gateway/admin';
import { createPolicy } from '@callsign/governance';
import { type Finding, maxNameLength } from '@callsign/naming';
import { onOneLine, printable, renderTable, wrapped, type Column } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { findTool, unknownTool } from '../fleet/find-tool.js';
import { type Fleet, requireQuietFleet, warnOfFleet } from '../fleet/fleet.js';
import { hintReasons } from '../fleet/hint-words.js';
import { describeLive, type LiveWords } from '../fleet/live-gateway.js';
import { SELF } from '../fleet/running-gateway.js';

interface ShowOptions extends LiveWords {
  readonly refresh?: true;
}

interface ShownTool {
  readonly entry: Entry;
  readonly definition: ToolDefinition;
  readonly names: readonly ProfiledName[];
  readonly findings: readonly Finding[];
  /** The decision about a call without arguments. Missing if there is no policy. */
  readonly policy: Verdict | undefined;
  /** Why no client sees it, if the lock file or the quarantine withholds it. */
  readonly withheld: string | undefined;
}

interface ProfiledName {
  readonly profile: string;
  readonly name: string;
  readonly exact: boolean;
  readonly reasons: readonly string[];
  readonly length: number;
  /** The longest name that the client accepts from us. `null`: any length. */
  readonly maxLength: number | null;
}

export const command: CommandModule<ShowOptions> = {
  describe(line) {
    line
      .description('Shows a tool: label, parameters, its name in every client, lint findings.')
      .argument('<name>', 'any of its names: server:tool, or as a client shows it')
      .option('--refresh', 'start the servers instead of using remembered tools');
    describeLive(line);
  },

  async run(context, { words: [spelling = ''], options }) {
    const fleet = await requireQuietFleet(context, { ...options, about: spelling });
    const entry = findTool(fleet, spelling);
    if (!entry) throw unknownTool(fleet, spelling);
    warnOfFleet(context, fleet, spelling);
    const definition = definitionOfTool(entry);
    const findings = lintTools([definition.raw], { key: entry.ref.server });
    const policy = verdictOn(fleet, entry);
    const withheld = fleet.withheld.get(entry.canonical);
    const shown = { entry, definition, names: namesOf(fleet, entry), findings, policy, withheld };
    if (context.json) context.out.json(asJson(shown));
    else write(context, shown);
    return EXIT.ok;
  },
};

function namesOf(fleet: Fleet, { canonical }: Entry): ProfiledName[] {
  return fleet.profiles.ids.flatMap((profile) => {
    const named = fleet.view(profile).table('tool').find(canonical)?.tool;
    if (!named) return [];
    const { name, exact, reasons } = named;
    const maxLength = maxNameLength(fleet.profiles.get(profile)!, fleet.config.settings.clientKey);
    return [{ profile, name, exact, reasons, length: name.length, maxLength: finite(maxLength) }];
  });
}

/** The decision about a call from this command without arguments. */
function verdictOn({ config }: Fleet, entry: Entry): Verdict | undefined {
  const { policy } = config.settings;
  return policy && createPolicy(policy).judge(entry, { client: SELF });
}

function finite(maxLength: number): number | null {
  return maxLength === Infinity ? null : maxLength;
}

function asJson({ entry, definition, names, findings, policy, withheld }: ShownTool): object {
  const { canonical, ref, risk, hints } = entry;
  const { title, raw } = definition;
  return {
    canonical,
    ...ref,
    title,
    risk,
    evidence: { by: groundOf(entry), because: reasonFor(entry) },
    hints,
    names,
    findings,
    policy: policy ?? null,
    ...(withheld === undefined ? {} : { withheld }),
    definition: raw,
  };
}

function write({ out }: Context, shown: ShownTool): void {
  const { entry, definition, names, findings, policy, withheld } = shown;
  const { paint, width } = out;
  const { title, description, parameters } = definition;
  const heading = (text: string): string => `\n${paint('name', text)}`;
  const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string =>
    renderTable(rows, columns, { width, paint });
  out.lines(
    paint('name', onOneLine(entry.canonical)),
    onOneLine(`${entry.displayName} — ${title}`),
    ...(description === '' ? [] : ['', ...wrapped(printable(description.trim()), width)]),
    ...(withheld === undefined
      ? []
      : ['', paint('warning', `Withheld, so that no client sees it: ${onOneLine(withheld)}.`)]),
    heading('Label'),
    `${paint(entry.risk, entry.risk)}: ${onOneLine(reasonFor(entry))}`,
    ...wrapped(explain(entry.hints), width),
    table(hintReasons(entry.hints), [
      { title: 'HINT', text: ({ word }) => word },
      { title: 'VALUE', text: ({ value }) => (value ? 'yes' : 'no') },
      { title: 'SAID BY', text: ({ who }) => who },
    ]),
    ...(policy === undefined
      ? []
      : [heading('Policy'), `${policy.decision}: ${onOneLine(policy.rule)}`]),
    heading('Parameters'),
    parameters.length === 0
      ? 'none'
      : table(parameters, [
          {
            title: 'NAME',
            text: ({ name, isRequired }) => (isRequired ? `${name} *` : name),
            isWhole: true,
          },
          { title: 'TYPE', text: ({ type }) => type },
          { title: 'DESCRIPTION', text: (parameter) => parameter.description },
        ]),
    heading('Names'),
    table(names, [
      { title: 'PROFILE', text: ({ profile }) => profile },
      {
        title: 'NAME',
        text: ({ name }) => name,
        tint: ({ exact }) => (exact ? undefined : 'changed'),
        isWhole: true,
      },
      {
        title: 'LENGTH',
        text: ({ length, maxLength }) =>
          maxLength === null ? `${length}` : `${length}/${maxLength}`,
      },
      { title: 'CHANGED BY', text: ({ reasons }) => reasons.join(', ') },
    ]),
    heading('Lint'),
    findings.length === 0
      ? 'no findings'
      : findings
          .map(({ severity, rule, message, fix }) =>
            wrapped(printable(`${severity} ${rule}: ${message}\n  → ${fix}`), width).join('\n'),
          )
          .join('\n'),
  );
}
