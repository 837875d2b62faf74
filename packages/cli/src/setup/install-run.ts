/** Adds Callsign to files of clients, and reports the result for each. */

import type { WrittenEntry } from '@callsign/config';
import { parseConfig } from '@callsign/gateway/host';
import { counted } from '@callsign/terminal';

import { placeHere, type ClientApp } from '../clients/apps/client-app.js';
import { readClientFile, type FoundFile } from '../clients/files/client-file.js';
import { FileFailure } from '../clients/files/file-failure.js';
import { planImport } from '../clients/import/import-plan.js';
import {
  backupOf,
  install,
  planInstall,
  type InstallPlan,
} from '../clients/install/client-install.js';
import { installedFragment } from '../clients/install/install-text.js';
import { splitServers, type ConfiguredServer } from '../clients/install/served-servers.js';
import type { Context } from '../command/command.js';
import { ownProgram } from '../command/copyable.js';
import { usageFailure } from '../command/failure.js';
import { entriesIn, requireText } from '../config-file/config-text.js';
import { clientKey } from './client-key.js';
import { importProblem, servingProblem } from './entry-problem.js';
import { knownServers } from './import-run.js';

export interface InstallOptions {
  /** Takes the servers that Callsign serves out of the client's file. */
  readonly isMoving: boolean;
  /** The address of a running Callsign to connect to. Default: the client starts Callsign. */
  readonly url?: string | undefined;
  /** The set that the client uses. An address has it already. */
  readonly set?: string | undefined;
  /** Why servers of our configuration did not start, by key. */
  readonly failed?: ReadonlyMap<string, string>;
  /** The text that our configuration will have. Default: the text that it has. */
  readonly text?: string;
}

interface UntouchedServer {
  readonly key: string;
  readonly reason: string;
}

export interface PlannedInstall extends InstallPlan {
  /** Keys of servers that leave the client's file. */
  readonly moved: readonly string[];
  /** Servers that stay in the client's file, because Callsign cannot serve them. */
  readonly kept: readonly UntouchedServer[];
  /** Keys of servers that both the client and Callsign will start. */
  readonly doubled: readonly string[];
  /** Keys of servers that only the client has, and that can be imported. */
  readonly others: readonly string[];
  /** Whether one of these belongs to the project in this folder. */
  readonly isOfProject: boolean;
}

/** Plans the change of each file. Writes nothing. */
export function planInstalls(
  context: Context,
  targets: readonly FoundFile[],
  { isMoving, url, set, failed = new Map(), text }: InstallOptions,
): PlannedInstall[] {
  const { file: config, env, shell, stderr } = context;
  const whole = text ?? requireText(config);
  const configured = configuredServers(context, whole, failed);
  const known = knownServers(whole, config, env);
  const key = clientKey(config);
  const planOf = ({ app, file }: FoundFile): PlannedInstall => {
    const entry = entryFor(app, config, { url, set }, shell.script);
    const servers = readClientFile(app, file, placeHere(context));
    const { served, unserved, others } = splitServers(servers, configured, known);
    const missing = planImport(others, { ...known, file: config, check: importProblem });
    const foreign = missing.filter((each) => each.server.key !== key);
    const moved = isMoving ? served : [];
    const plan = planInstall(
      { app, file, key, entry },
      moved.map(({ path }) => path),
    );
    const keysOf = (list: typeof served): string[] => list.map((server) => server.key);
    return {
      ...plan,
      moved: keysOf(moved),
      kept: [
        ...(isMoving
          ? unserved.map(({ server, problem }) => ({ key: server.key, reason: problem }))
          : []),
        ...foreign.flatMap(({ server, skipped }) =>
          skipped === undefined ? [] : { key: server.key, reason: skipped },
        ),
      ],
      doubled: isMoving ? [] : keysOf(served),
      others: foreign.flatMap(({ server, skipped }) => (skipped === undefined ? server.key : [])),
      isOfProject: foreign.some(
        ({ server, skipped }) => skipped === undefined && server.workspace !== undefined,
      ),
    };
  };
  return targets.flatMap((target) => {
    try {
      return planOf(target);
    } catch (error) {
      // A broken file of one client does not affect the others.
      if (!(error instanceof FileFailure) || targets.length === 1) throw error;
      stderr.log('warning', error.message);
      return [];
    }
  });
}

/** If the file as a whole cannot be used, none of its servers is served. */
function configuredServers(
  context: Context,
  text: string,
  failed: ReadonlyMap<string, string>,
): ConfiguredServer[] {
  const { file, env } = context;
  const parsed = parseConfig(text, { file, env, isLenient: true });
  const [fault] = parsed.ok ? [] : parsed.problems;
  const whole = fault && `${fault.path} ${fault.message}`.trim();
  return entriesIn(text, file).map(({ key, entry }) => {
    return { key, entry, problem: servingProblem(entry, context) ?? whole ?? failed.get(key) };
  });
}

function entryFor(
  app: ClientApp,
  config: string,
  { url, set }: Pick<InstallOptions, 'url' | 'set'>,
  script: string,
): WrittenEntry {
  if (url === undefined) return startingEntry(app, config, set, script);
  const entry = connectingEntry(app, url);
  if (entry) return entry;
  throw usageFailure(`${app.label} cannot connect to an address from its file. Leave out --http.`);
}

/** Writes the files and prints the result for each. */
export async function runInstalls(
  context: Context,
  plans: readonly PlannedInstall[],
): Promise<void> {
  for (const plan of plans) {
    const older = await install(plan);
    sayInstalled(context, plan, older);
  }
}

/** `older`: where an older backup is kept. */
function sayInstalled({ say }: Context, plan: PlannedInstall, older: string | undefined): void {
  const { installation, before, isChanged, isThere, moved } = plan;
  const { app, file } = installation;
  if (!isChanged) say(`${app.label} already has Callsign: ${file}`);
  else {
    const done = isThere ? 'Changed the file of' : 'Added Callsign to';
    say(`${done} ${app.label}: ${file}. Restart ${app.label} to use it.`);
    if (moved.length > 0) say(`  moved out, because Callsign serves them: ${moved.join(', ')}`);
    if (before !== undefined) say(`  the earlier file: ${backupOf(file)}`);
    if (older !== undefined) say(`  an older copy is kept too: ${older}`);
  }
  sayRest(say, plan);
}

/** Shows what would be written. */
export function showInstalls({ out, say }: Context, plans: readonly PlannedInstall[]): void {
  for (const plan of plans) {
    const { file } = plan.installation;
    out.lines(installedFragment(plan.installation));
    sayPlanned(say, plan, `This would be added to ${file}.`);
  }
  say('Nothing was written.');
}

/** Says what would change in the file of a client. `change`: the first line, if Callsign would be added. */
export function sayPlanned(say: Context['say'], plan: PlannedInstall, change: string): void {
  const { installation, isChanged, isThere, moved } = plan;
  const { app, file } = installation;
  if (!isChanged) say(`${app.label} already has Callsign: ${file}`);
  else say(isThere ? `${app.label} already has Callsign. Its file would change: ${file}` : change);
  if (moved.length > 0) say(`  these would be removed: ${moved.join(', ')}`);
  sayRest(say, plan);
}

function sayRest(say: Context['say'], plan: PlannedInstall): void {
  const { kept, doubled, others, isOfProject } = plan;
  for (const { key, reason } of kept) {
    say(`  stays there, because Callsign cannot serve it: ${key} (${reason})`);
  }
  if (doubled.length > 0) {
    say(`  still started by the client too: ${doubled.join(', ')}. To move them out: --move`);
  }
  if (others.length > 0) {
    const what = counted(others.length, 'server');
    const advice = `To add: callsign import${isOfProject ? ' --project' : ''}`;
    say(`  ${what} that Callsign does not serve: ${others.join(', ')}. ${advice}`);
  }
}

export function installJson(plan: PlannedInstall, isWritten: boolean): object {
  const { installation, isChanged, moved, kept, doubled, others } = plan;
  const { app, file, key, entry } = installation;
  return {
    client: app.id,
    file,
    key,
    entry,
    changed: isWritten && isChanged,
    wouldChange: isChanged,
    moved,
    kept,
    doubled,
    others,
  };
}

/** An entry that starts Callsign. */
function startingEntry(
  { entryExtras = {} }: ClientApp,
  config: string,
  set: string | undefined,
  ownScript: string,
): WrittenEntry {
  const [command, ...args] = ownProgram(ownScript);
  const narrowed = set === undefined ? [] : ['--set', set];
  return {
    ...entryExtras,
    command,
    args: [...args, 'connect', '--config', config, ...narrowed],
  };
}

/**
 * An entry with the address of a running Callsign; `undefined` if the client only starts programs.
 */
function connectingEntry({ remote }: ClientApp, url: string): WrittenEntry | undefined {
  return remote && { ...remote.extras, [remote.field]: url };
}
