/** `callsign names`: reports the names that each client sees. */

import { renameServer } from '@callsign/config';
import { parseConfig } from '@callsign/gateway/host';
import {
  configuredKeyProblem,
  maxNameLength,
  type NamedTool,
  type NameForm,
} from '@callsign/naming';
import { type Column, counted, printable } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { configFailure, entriesIn, requireEntry, requireText } from '../config-file/config-text.js';
import { type Fleet, fleetOf, requireFleet } from '../fleet/fleet.js';
import { describeLive, type LiveWords } from '../fleet/live-gateway.js';
import { isGlob, matches, noMatch } from '../fleet/tool-pattern.js';

interface NamesOptions extends LiveWords {
  readonly profile?: string;
  readonly all?: true;
  readonly rename?: string;
  readonly refresh?: true;
}

export const command: CommandModule<NamesOptions> = {
  describe(line) {
    line
      .description(
        'Reports every exposed name: its length, the limit of the client, what was changed and why, and ' +
          'collisions. Starts only servers whose tools are not remembered.',
      )
      .argument('[pattern]', 'part of a name, or a glob such as "github:*"')
      .option('--profile <name>', 'the client whose names to show')
      .option('--all', 'show every client')
      .option('--rename <old=new>', 'show what would change if a server had another key')
      .option('--refresh', 'start the servers instead of using remembered tools');
    describeLive(line);
  },

  async run(context, { words: [pattern], options }) {
    const { profile, all, rename } = options;
    if (all && profile !== undefined) {
      throw usageFailure('Use --profile or --all, not both.');
    }
    const fleet = await requireFleet(context, { ...options, about: pattern });
    const usual = fleet.config.settings.profile;
    const one = profile ?? (usual === 'auto' ? 'canonical' : usual);
    const profiles = all ? fleet.profiles.ids : [one];
    const reports = profiles.map((id) => reportOf(fleet, id, pattern));
    const isNone = pattern !== undefined && reports.every(({ names }) => names.length === 0);
    if (isNone && !isGlob(pattern)) throw noMatch('names', pattern, fleet);
    const changes = rename === undefined ? undefined : changesBy(context, fleet, rename, profiles);
    if (context.json) context.out.json({ profiles: reports, ...(changes ? { changes } : {}) });
    else if (changes) writeChanges(context, changes);
    else if (fleet.tools.size === 0) context.say('No server offers a tool.');
    else if (isNone) context.say('No tool matches.');
    else if (all) writeAll(context, reports);
    else writeOne(context, reports[0]!);
    return EXIT.ok;
  },
};

type Report = ReturnType<typeof reportOf>;

/** `pattern`: only the names of tools that it matches, and their problems. */
function reportOf(fleet: Fleet, profile: string, pattern: string | undefined) {
  const { tools, problems } = fleet.view(profile).table('tool');
  const rules = fleet.profiles.get(profile)!;
  const maxLength = maxNameLength(rules, fleet.config.settings.clientKey);
  return {
    profile,
    label: rules.label,
    maxLength: maxLength === Infinity ? null : maxLength,
    names: tools
      .filter(({ canonical, name }) => matches(pattern, canonical, name))
      .map(({ canonical, name, exact, form, reasons }) => {
        return { name, canonical, length: name.length, exact, form, reasons };
      }),
    problems: problems.filter((problem) => matches(pattern, ...problem.tools)),
  };
}

const CHANGED_BY: Column<Report['names'][number]> = {
  title: 'CHANGED BY',
  text: ({ reasons }) => reasons.join(', '),
};

const TOOL: Column<Report['names'][number]> = {
  title: 'TOOL',
  text: ({ canonical }) => canonical,
  isOptional: true,
};

function writeOne(context: Context, { label, maxLength, names, problems }: Report): void {
  const { out, say } = context;
  out.table(names, [
    {
      title: 'NAME',
      text: ({ name }) => name,
      tint: ({ exact }) => (exact ? 'name' : 'changed'),
      isWhole: true,
    },
    {
      title: 'LENGTH',
      text: ({ length }) => (maxLength === null ? `${length}` : `${length}/${maxLength}`),
      isOptional: true,
    },
    ...(names.some(({ name, canonical }) => name !== canonical) ? [TOOL] : []),
    ...(names.some(({ reasons }) => reasons.length > 0) ? [CHANGED_BY] : []),
  ]);
  for (const problem of shownProblems({ problems })) writeProblem(context, problem);
  const [marked, hashed] = [countOf(names, 'marked'), countOf(names, 'hashed')];
  const forms = [
    ...(marked > 0 ? [`${marked} with a mark at the end, such as _h1`] : []),
    ...(hashed > 0 ? [`${hashed} with a fingerprint, ten characters at the end`] : []),
  ];
  const more = forms.length === 0 ? '' : `: ${forms.join(', ')}`;
  say(`${counted(names.length, 'name')} for ${label}${more}.`);
}

function countOf(names: Report['names'], form: NameForm): number {
  return names.filter((each) => each.form === form).length;
}

type Problem = Report['problems'][number];

/** Names that were changed and work are in the table already. */
function shownProblems({ problems }: Pick<Report, 'problems'>): Problem[] {
  return problems.filter(({ severity }) => severity !== 'info');
}

function writeProblem(
  { out, copyable }: Context,
  { severity, message, advice }: Problem,
  where = '',
): void {
  const meaning = severity === 'error' ? 'bad' : 'warning';
  out.lines(
    `${out.paint(meaning, severity)}${where}: ${printable(message)}`,
    `  → ${copyable(advice)}`,
  );
}

function writeAll(context: Context, reports: readonly Report[]): void {
  const { out, say } = context;
  out.table(reports, [
    { title: 'PROFILE', text: ({ profile }) => profile, tint: () => 'name' },
    { title: 'LIMIT', text: ({ maxLength }) => (maxLength === null ? 'any' : `${maxLength}`) },
    {
      title: 'LONGEST',
      text: ({ names }) => `${Math.max(0, ...names.map((each) => each.length))}`,
    },
    ...formColumns(reports),
    {
      title: 'PROBLEMS',
      text: (report) => `${shownProblems(report).length}`,
      tint: ({ problems }) =>
        problems.some(({ severity }) => severity === 'error') ? 'bad' : undefined,
    },
  ]);
  const changed = changedNames(reports);
  if (changed.length > 0) {
    out.lines('');
    out.table(changed, [
      { title: 'TOOL', text: ({ canonical }) => canonical, isWhole: true },
      { title: 'NAME', text: ({ name }) => name, tint: () => 'changed', isWhole: true },
      CHANGED_BY,
      { title: 'IN', text: ({ profiles }) => profiles.join(', ') },
    ]);
  }
  const more = writeAllProblems(context, reports) - MOST_PROBLEMS;
  if (more > 0) {
    say(
      `${counted(more, 'more problem')}. To see those of one client: callsign names --profile NAME`,
    );
  }
  for (const { title, meaning } of formColumns(reports)) say(`${title}: ${meaning}`);
}

/** How names are changed, and what that means. */
const FORMS = [
  {
    form: 'marked',
    title: 'MARKED',
    meaning: 'names that end in a short mark, such as _h1, which says where hyphens or dots were.',
  },
  {
    form: 'hashed',
    title: 'FINGERPRINT',
    meaning:
      'names that end in ten characters made of server:tool, because they were too long or had other characters.',
  },
] as const;

/** A column for each form that names have. */
function formColumns(reports: readonly Report[]) {
  const isUsed = (form: NameForm): boolean => reports.some(({ names }) => countOf(names, form) > 0);
  return FORMS.filter(({ form }) => isUsed(form)).map((each) => ({
    ...each,
    text: ({ names }: Report) => `${countOf(names, each.form)}`,
  }));
}

const MOST_PROBLEMS = 10;

/** Each problem once, with the profiles that have it. Returns how many there are. */
function writeAllProblems(context: Context, reports: readonly Report[]): number {
  const found = new Map<string, { readonly problem: Problem; readonly profiles: string[] }>();
  for (const report of reports) {
    for (const problem of shownProblems(report)) {
      const identity = JSON.stringify([problem.message, problem.advice]);
      const known = found.get(identity);
      if (known) known.profiles.push(report.profile);
      else found.set(identity, { problem, profiles: [report.profile] });
    }
  }
  if (found.size > 0) context.out.lines('');
  for (const { problem, profiles } of [...found.values()].slice(0, MOST_PROBLEMS)) {
    writeProblem(context, problem, placesOf(profiles, reports.length));
  }
  return found.size;
}

function placesOf(profiles: readonly string[], all: number): string {
  if (profiles.length === all) return '';
  return profiles.length > 3
    ? ` in ${profiles.length} of ${all} profiles`
    : ` in ${profiles.join(', ')}`;
}

type ChangedName = Report['names'][number] & { readonly profiles: string[] };

/** Each changed name once, with the profiles that have it. */
function changedNames(reports: readonly Report[]): ChangedName[] {
  const changed = new Map<string, ChangedName>();
  for (const { profile, names } of reports) {
    for (const each of names.filter(({ exact }) => !exact)) {
      const identity = JSON.stringify([each.canonical, each.name]);
      const known = changed.get(identity);
      if (known) known.profiles.push(profile);
      else changed.set(identity, { ...each, profiles: [profile] });
    }
  }
  return [...changed.values()].toSorted((a, b) => (a.canonical < b.canonical ? -1 : 1));
}

interface NameChange {
  readonly profile: string;
  readonly from: string;
  readonly to: string;
  readonly exact: boolean;
}

function changesBy(
  { file, env }: Context,
  fleet: Fleet,
  rename: string,
  profiles: readonly string[],
): NameChange[] {
  const [oldKey = '', newKey = '', ...more] = rename.split('=');
  if (oldKey === '' || newKey === '' || more.length > 0) {
    throw usageFailure('--rename takes OLD=NEW.');
  }
  const renamed = renamedFleet(fleet, { file, env, oldKey, newKey });
  return profiles.flatMap((profile) => {
    const before = fleet.view(profile).table('tool').tools.filter(ofServer(oldKey));
    const after = renamed.view(profile).table('tool').tools.filter(ofServer(newKey));
    const byTool = new Map(after.map((tool) => [tool.ref.tool, tool]));
    return before.flatMap(({ ref, name }) => {
      const now = byTool.get(ref.tool);
      const isSame = now === undefined || now.name === name;
      return isSame ? [] : [{ profile, from: name, to: now.name, exact: now.exact }];
    });
  });
}

function ofServer(key: string): (tool: NamedTool) => boolean {
  return ({ ref }) => ref.server === key;
}

function writeChanges({ out, say }: Context, changes: readonly NameChange[]): void {
  if (changes.length === 0) return say('No name would change.');
  out.table(changes, [
    { title: 'PROFILE', text: ({ profile }) => profile },
    { title: 'NOW', text: ({ from }) => from },
    {
      title: 'THEN',
      text: ({ to }) => to,
      tint: ({ exact }) => (exact ? 'name' : 'changed'),
      isWhole: true,
    },
  ]);
  say(`${counted(changes.length, 'name')} would change; the old ones would stay callable.`);
}

interface RenameOptions extends Pick<Context, 'file' | 'env'> {
  readonly oldKey: string;
  readonly newKey: string;
}

/** The fleet as it is when a server has another key. Writes nothing, and starts no server. */
function renamedFleet(fleet: Fleet, { file, env, oldKey, newKey }: RenameOptions): Fleet {
  const wrongKey = configuredKeyProblem(newKey);
  if (wrongKey !== undefined) throw usageFailure(wrongKey);
  const text = requireText(file);
  requireEntry(entriesIn(text, file), oldKey);
  const parsed = parseConfig(renameServer(text, oldKey, newKey), { file, env, isLenient: true });
  if (!parsed.ok) throw configFailure(file, parsed.problems);
  const servers = fleet.servers.map((server) =>
    server.key === oldKey ? { ...server, key: newKey } : server,
  );
  return fleetOf(parsed.config, servers, fleet.isCached);
}
