/** `callsign install`: adds Callsign to the files of clients. Starts nothing. */

import { shellWord } from '@callsign/config';
import { isLoopback } from '@callsign/outbound';

import { CLIENT_APPS } from '../clients/apps/client-app.js';
import type { FoundFile } from '../clients/files/client-file.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { requireText } from '../config-file/config-text.js';
import { setProblem } from '../config-file/set-problem.js';
import { warnOfEntries } from '../setup/entry-warnings.js';
import { installJson, planInstalls, runInstalls, showInstalls } from '../setup/install-run.js';
import { chooseTargets, type TargetOptions } from '../setup/install-targets.js';

interface InstallFlags extends TargetOptions {
  readonly move?: true;
  readonly http?: string | true;
  readonly set?: string;
  readonly dryRun?: true;
}

export const command: CommandModule<InstallFlags> = {
  describe(line) {
    const clients = CLIENT_APPS.map(({ id }) => id).join(', ');
    line
      .description(
        'Adds Callsign to the files of clients. Comments stay, and a copy of the earlier file is kept. ' +
          'On a terminal it asks which clients.',
      )
      .argument('[client]', clients)
      .option('--client <name>', 'the same, as a flag')
      .option('--all', 'every client that has a file on this machine')
      .option('--project', 'use the project file in this folder instead of your own')
      .option('--move', 'remove the servers that Callsign serves; uninstall restores them')
      .option('--http [address]', 'connect to a running Callsign: [HOST:]PORT or a URL')
      .option('--set <name>', 'let them see and call only what is in this set')
      .option('--dry-run', 'show what would be written, and write nothing');
  },

  async run(context, { words, options }) {
    const { file: config, json, out } = context;
    const choose = (): Promise<FoundFile[]> =>
      chooseTargets(context, options, words, 'Which clients should use Callsign?');
    // A wrong name is reported before anything else. A question comes after the warnings.
    const isNamed = words.length > 0 || options.client !== undefined;
    const named = isNamed ? await choose() : undefined;
    requireText(config);
    const loaded = await warnOfEntries(context);
    const { set } = options;
    const unknown = loaded && setProblem(set, loaded);
    if (unknown !== undefined) throw usageFailure(unknown);
    const targets = named ?? (await choose());
    const url = addressOf(options.http, set, loaded?.settings.http);
    const plans = planInstalls(context, targets, {
      isMoving: options.move === true,
      url,
      set,
    });
    const isWritten = options.dryRun !== true;
    if (json) {
      if (isWritten) await runInstalls({ ...context, say: () => undefined }, plans);
      out.json({ config, clients: plans.map((plan) => installJson(plan, isWritten)) });
    } else if (isWritten) await runInstalls(context, plans);
    else showInstalls(context, plans);
    if (url !== undefined && isWritten) sayHowToServe(context, url);
    if (url !== undefined && loaded?.settings.auth) warnOfKey(context);
    return EXIT.ok;
  },
};

function addressOf(
  given: InstallFlags['http'],
  set: string | undefined,
  usual: { readonly host: string; readonly port: number } | undefined,
): string | undefined {
  if (given === undefined) return undefined;
  const path = set === undefined ? '/mcp' : `/mcp/set/${set}`;
  if (given === true) {
    const { host = '127.0.0.1', port = 3917 } = usual ?? {};
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  }
  if (/^https?:\/\//.test(given) && URL.canParse(given)) {
    if (set === undefined) return given;
    throw usageFailure(`With an address, name the set in it: ${new URL(given).origin}${path}`);
  }
  const match = /^(?:(\[[^\]\s]+\]|[^:[\]\s]+):)?(\d{1,5})$/.exec(given);
  if (!match || Number(match[2]) > 65_535 || Number(match[2]) === 0) {
    throw usageFailure(`--http takes PORT, HOST:PORT or a URL, not "${given}".`);
  }
  return `http://${match[1] ?? '127.0.0.1'}:${match[2]}${path}`;
}

function sayHowToServe({ file, say }: Context, url: string): void {
  const { hostname, port } = new URL(url);
  if (isLoopback(hostname))
    say(`Keep it running: callsign serve --config ${shellWord(file)} --http ${port}`);
}

/** We write no key into the file, because people commit such files. */
function warnOfKey({ stderr }: Context): void {
  const header = '"Authorization: Bearer KEY"';
  stderr.log(
    'warning',
    `The gateway asks for a key. Add the header ${header} to the entry. To make a key: callsign key new NAME`,
  );
}
