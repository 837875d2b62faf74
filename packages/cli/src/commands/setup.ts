/**
 * `callsign setup`: imports the servers of clients and installs Callsign in the clients, in one
 * run.
 */

import { withValue } from '@callsign/config';
import { askSome, askWhether, counted } from '@callsign/terminal';

import type { FoundFile } from '../clients/files/client-file.js';
import type { PlannedServer } from '../clients/import/import-plan.js';
import type { CommandModule, Context } from '../command/command.js';
import { userConfig } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import type { Complaint } from '../command/stderr.js';
import { editConfig, entriesIn, requireText } from '../config-file/config-text.js';
import { showLabels } from '../governed/label-screen.js';
import { warnOfCommands } from '../setup/entry-warnings.js';
import {
  addServers,
  clientServers,
  planJson,
  plannedText,
  planServers,
  showPlan,
} from '../setup/import-run.js';
import {
  installJson,
  planInstalls,
  runInstalls,
  sayPlanned,
  type PlannedInstall,
} from '../setup/install-run.js';
import { foundTargets } from '../setup/install-targets.js';
import { movePlainSecrets, tokenFiles } from '../setup/stored-secrets.js';
import { askAboutVariables } from '../setup/variable-questions.js';

interface SetupFlags {
  readonly yes?: true;
  readonly project?: true;
  readonly keychain?: true;
  readonly dryRun?: true;
  /** False with `--no-start`. */
  readonly start: boolean;
  /** False with `--no-move`. */
  readonly move: boolean;
}

export const command: CommandModule<SetupFlags> = {
  describe(line) {
    line
      .description(
        'Finds the servers of your clients, lets you choose, and asks about variables that are not set. Writes ' +
          'your configuration, shows the labels of all tools, and installs Callsign in your clients in ' +
          "place of those servers. To restore your clients' files: callsign uninstall --all",
      )
      .option('-y, --yes', 'use all of your own servers and clients without asking')
      .option('--project', 'also import the servers of the project in this folder')
      .option('--keychain', 'move tokens into your keychain without asking')
      .option('--no-start', 'do not start the servers to show their labels')
      .option('--no-move', 'leave the old entries in the files of the clients')
      .option('--dry-run', 'show what would happen; start and write nothing');
  },

  async run(given, { options }) {
    const isAsking = options.yes !== true && options.dryRun !== true;
    if (isAsking && !given.isInteractive) {
      throw usageFailure('Setup asks questions and needs a terminal. To accept everything: --yes');
    }
    const file = given.origin === 'flag' ? given.file : userConfig(given.env);
    const context: Context = { ...given, file, origin: 'flag' };
    const { json, out, say } = context;
    const plan = await plannedServers(context, options, isAsking);
    const chosen = await chosenServers(context, plan, isAsking);
    const added =
      options.dryRun || !(isAsking || options.keychain)
        ? chosen
        : await movePlainSecrets(context, chosen, options.keychain === true);
    if (options.dryRun) return sayWhatWould(context, plan, options);
    await addServers(context, added, plan);
    if (entriesIn(requireText(file), file).length === 0) {
      say(NO_SERVERS);
      return EXIT.ok;
    }
    say(`${counted(added.length, 'server')} added to ${file}.`);
    const config = await warnOfCommands(context);
    // Clients keep their own servers if Callsign could not serve a single one.
    if (!config) return context.stderr.complain(nothingServes(file));
    const { servers: labels, failed } = options.start
      ? await showLabels(context, config, isAsking)
      : { servers: [], failed: new Map<string, string>() };
    if (config.servers.every(({ key }) => failed.has(key))) {
      return context.stderr.complain(nothingStarts(file));
    }
    const targets = await chosenTargets(context, isAsking);
    const isMoving =
      options.move && (!isAsking || targets.length === 0 || (await askWhether(MOVE_QUESTION)));
    const installs = planInstalls(context, targets, { isMoving, failed });
    await runInstalls(context, installs);
    if (json) {
      const keys = new Set(added.map(({ key }) => key));
      out.json({
        file,
        servers: plan.map((each) => planJson(each, keys)),
        labels,
        clients: installs.map((each) => installJson(each, true)),
      });
      return EXIT.ok;
    }
    if (!config.settings.policy) await offerPolicy(context, isAsking);
    sayNext(context, installs);
    // A token that was typed into `setup` is in no client's file.
    const taken = new Set(chosen.map(({ key }) => key));
    const found = plan.filter(({ key }) => taken.has(key));
    const files = added === chosen ? [] : tokenFiles(found, installs);
    if (files.length > 0) say([TOKENS_LEFT, ...files.map((each) => `  ${each}`)].join('\n'));
    return EXIT.ok;
  },
};

/** Says that nothing is forbidden, and how to be asked. On a terminal, it asks whether to change that. */
async function offerPolicy(context: Context, isAsking: boolean): Promise<void> {
  const { file, say } = context;
  if (isAsking && (await askWhether(POLICY_QUESTION))) {
    await editConfig(context, (text) => withValue(text, ['callsign', 'policy'], 'careful'));
    say(
      `Callsign asks before destructive calls: "policy": "careful" in ${file}. In a client that cannot ask ` +
        'you, they are refused. To decide these yourself, choose "Ask me too" on the screen Policy: callsign console',
    );
    return;
  }
  say(
    'There is no policy: every call is allowed. To be asked before destructive calls, write ' +
      `"policy": "careful" under "callsign" in ${file}.`,
  );
}

const POLICY_QUESTION =
  'There is no policy yet: every call is allowed. Should Callsign ask before destructive calls?';

function sayNext({ say }: Context, installs: readonly PlannedInstall[]): void {
  if (installs.length === 0) {
    say('Next: callsign install, to put Callsign into a client');
    return;
  }
  const changed = installs.filter(({ isChanged }) => isChanged);
  const clients = [...new Set(changed.map(({ installation }) => installation.app.label))];
  const restart = clients.length === 0 ? '' : `restart ${clients.join(', ')}. Then `;
  say(`Next: ${restart}callsign doctor, to check that everything works`);
  say("To restore your clients' files: callsign uninstall --all");
}

function nothingServes(file: string): Complaint {
  const message =
    `No server of ${file} can be started, so your clients were left as they are.\n` +
    'To see why: callsign validate. Then run callsign setup again.';
  return { exit: EXIT.config, code: 'invalid-config', message };
}

function nothingStarts(file: string): Complaint {
  const message =
    `No server of ${file} started, so your clients were left as they are.\n` +
    'To see why: callsign doctor. Then run callsign setup again.';
  return { exit: EXIT.unreachable, code: 'unreachable', message };
}

/** Plans the same changes as a real run, and writes nothing. */
async function sayWhatWould(
  context: Context,
  plan: readonly PlannedServer[],
  { move }: SetupFlags,
): Promise<number> {
  const { file, json, out, say } = context;
  const added = plan.filter(({ skipped }) => skipped === undefined);
  const text = plannedText(context, plan);
  const config = await warnOfCommands(context, { text });
  const isEmpty = entriesIn(text, file).length === 0;
  const targets = config && !isEmpty ? foundTargets(context, false) : [];
  const installs = planInstalls(context, targets, { isMoving: move, text });
  if (json) {
    const servers = plan.map((each) => planJson(each, new Set()));
    const clients = installs.map((each) => installJson(each, false));
    out.json({ file, dryRun: true, servers, clients });
    return EXIT.ok;
  }
  say(`Nothing was written. ${counted(added.length, 'server')} would be added to ${file}.`);
  if (isEmpty) say(NO_SERVERS);
  else if (!config) say('No server could be started, so your clients would be left as they are.');
  for (const install of installs) {
    const { app, file: each } = install.installation;
    sayPlanned(say, install, `Callsign would be added to ${app.label}: ${each}`);
  }
  return EXIT.ok;
}

const NO_SERVERS = 'There are no servers yet. Next: callsign add NAME -- COMMAND';
/** After tokens of clients' files were moved into the keychain. */
const TOKENS_LEFT =
  'These files still have your tokens in plain text. Uninstall needs the copies, which end in .callsign-backup: when ' +
  'you no longer want to go back, delete them.';
const MOVE_QUESTION =
  'Remove the servers that Callsign serves from the files of clients? Uninstall restores them.';

async function plannedServers(
  context: Context,
  { project }: SetupFlags,
  isAsking: boolean,
): Promise<PlannedServer[]> {
  const servers = clientServers(context, undefined);
  const plan = await planServers(context, servers, project ? 'take' : isAsking ? 'ask' : 'leave');
  if (!context.json) showPlan(context, plan);
  if (servers.length === 0) context.say('No client has any servers.');
  return plan;
}

async function chosenServers(
  context: Context,
  plan: readonly PlannedServer[],
  isAsking: boolean,
): Promise<readonly PlannedServer[]> {
  const coming = plan.filter(({ skipped }) => skipped === undefined);
  const keys = coming.map(({ key }) => key);
  if (!isAsking || keys.length === 0) return coming;
  const chosen = new Set(await askSome('Which servers should Callsign serve?', keys));
  const taken = coming.filter(({ key }) => chosen.has(key));
  return askAboutVariables(context, taken);
}

async function chosenTargets(context: Context, isAsking: boolean): Promise<FoundFile[]> {
  const found = foundTargets(context, false);
  if (!isAsking || found.length === 0) return found;
  const labels = found.map(({ app }) => app.label);
  const chosen = new Set(await askSome('Which clients should use Callsign?', labels));
  return found.filter(({ app }) => chosen.has(app.label));
}
