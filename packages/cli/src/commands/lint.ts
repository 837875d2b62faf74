/** `callsign lint`: checks the names and labels of a server, for the CI of its author. */

import { lintTools } from '@callsign/gateway/admin';
import { type Finding, PROFILES, type ProfileId } from '@callsign/naming';
import { counted } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { FORMATS, githubReport, type LintedTarget, sarifReport } from '../lint/lint-report.js';
import { type LintTarget, readTargets } from '../lint/lint-target.js';
import { writeFindings, writeGroups } from '../lint/lint-text.js';
import { observedFindings } from '../lint/observed-rule.js';

interface LintOptions {
  readonly command?: string;
  readonly url?: string;
  readonly format?: string;
  readonly client?: string;
  readonly maxWarnings?: string;
  readonly details?: true;
  readonly observe?: true;
}

export const command: CommandModule<LintOptions> = {
  takesRest: true,

  describe(line) {
    line
      .description(
        'Checks the names and labels of tools and groups the findings by rule. Exits with 1 if there is ' +
          'an error, or if there are more warnings than allowed.',
      )
      .usage('[SERVER|FILE]... | -- COMMAND | --command COMMAND | --url URL')
      .argument('[targets...]', 'servers of the configuration, or files with a list of tools')
      .option('--command <command>', 'start this server; words are split at spaces')
      .option('--url <url>', 'ask this remote server')
      .option('--format <format>', FORMATS.join(', '))
      .option('--client <name>', 'only findings that concern this client')
      .option('--max-warnings <count>', 'how many warnings are allowed')
      .option(
        '--observe',
        'call the tools that are said to read, in a sandbox, and check what they try (Linux)',
      )
      .option('--details', 'show every finding with its own message');
  },

  async run(context, { words, rest, options }) {
    const format = formatOf(options, context);
    const most = mostWarnings(options.maxWarnings);
    const { command: program, url, client } = options;
    if (client !== undefined && !PROFILES.has(client as ProfileId)) {
      const known = [...PROFILES.keys()].join(', ');
      throw usageFailure(`There is no client "${client}". Known: ${known}.`);
    }
    const targets = await readTargets(context, { words, command: program, url, rest });
    const linted: LintedTarget[] = [];
    for (const target of targets) {
      const { name, isKey, tools } = target;
      const read = lintTools(tools, { client, key: isKey ? name : undefined });
      const observed = options.observe ? await observe(context, target) : [];
      linted.push({ name, tools: tools.length, findings: [...read, ...observed] });
    }
    write(context, format, linted, options.details === true);
    return exitFor(context, linted, most);
  },
};

async function observe(context: Context, target: LintTarget): Promise<readonly Finding[]> {
  const { findings, called } = await observedFindings(context, target);
  context.say(`Called ${counted(called, 'tool')} of ${target.name} in a sandbox.`);
  return findings;
}

type Format = (typeof FORMATS)[number];

function formatOf({ format }: LintOptions, { json }: Context): Format {
  if (format === undefined) return json ? 'json' : 'text';
  const known = FORMATS.find((each) => each === format);
  if (known) return known;
  throw usageFailure(`--format takes ${FORMATS.join(', ')}, not "${format}".`);
}

function mostWarnings(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (!/^\d+$/.test(text)) throw usageFailure('--max-warnings takes a number.');
  return Number(text);
}

function write(
  { out, verbose }: Context,
  format: Format,
  linted: readonly LintedTarget[],
  isDetailed: boolean,
): void {
  if (format === 'json') out.json({ targets: linted });
  else if (format === 'sarif') out.rawJson(JSON.stringify(sarifReport(linted), null, 2));
  else if (format === 'text') (isDetailed || verbose ? writeFindings : writeGroups)(out, linted);
  else if (linted.some(({ findings }) => findings.length > 0)) out.lines(githubReport(linted));
}

function exitFor({ say }: Context, linted: readonly LintedTarget[], most: number): number {
  const findings = linted.flatMap((target) => target.findings);
  const count = (severity: string): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const isTooMany = warnings > most;
  const limit = isTooMany ? ` (${most} allowed)` : '';
  const parts = [counted(errors, 'error'), counted(warnings, 'warning') + limit];
  say(`${[...parts, `${count('info')} info`].join(', ')}.`);
  return errors > 0 || isTooMany ? EXIT.usage : EXIT.ok;
}
