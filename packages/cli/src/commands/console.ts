/** `callsign console`: opens the web console of a running gateway. */

import { openBrowser } from '@callsign/auth';
import { homeIn, isRecord, stateFolder } from '@callsign/config';
import {
  type AdminClient,
  AdminError,
  findGateways,
  openConsolePage,
} from '@callsign/gateway/admin';

import type { CommandModule, Context } from '../command/command.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { consoleFolder } from '../console/console-folder.js';
import { requireGateways, type GatewayWords } from '../governed/running-gateways.js';

interface ConsoleOptions extends GatewayWords {
  readonly open?: boolean;
}

export const command: CommandModule<ConsoleOptions> = {
  describe(line) {
    line
      .description(
        'Opens the console of a running gateway in the browser. The link signs in once, within a ' +
          'minute. For a gateway on stdio, the command serves the page itself and runs until it is stopped.',
      )
      .option('--no-open', 'print the link and open no browser');
  },

  async run(context, { options }) {
    const gateways = await requireGateways(context, options);
    const link = gateways.length === 1 ? await linkOf(gateways[0]!) : undefined;
    if (link !== undefined) {
      await show(context, link, options);
      return EXIT.ok;
    }
    return serveUntilStopped(context, options);
  },
};

/** The link of a gateway that serves the console itself. */
async function linkOf({ post }: AdminClient): Promise<string | undefined> {
  try {
    const reply = await post('/console-link');
    const url = isRecord(reply) ? reply['url'] : undefined;
    return typeof url === 'string' ? url : undefined;
  } catch (error) {
    if (error instanceof AdminError) return undefined;
    throw error;
  }
}

async function serveUntilStopped(context: Context, options: ConsoleOptions): Promise<number> {
  const state = stateFolder(homeIn(context.env));
  const only = options.config === undefined ? {} : { config: context.file };
  const signals = new EndSignal();
  const page = await openConsolePage({
    folder: consoleFolder(),
    gateways: () => findGateways({ state, ...only }),
  });
  try {
    await show(context, page.link(), options);
    context.say('The console runs until you press Ctrl+C.');
    return await signals.asked;
  } finally {
    await page.close();
    signals.release();
  }
}

async function show(
  { json, out, say }: Context,
  link: string,
  { open }: ConsoleOptions,
): Promise<void> {
  if (json) out.json({ url: link });
  else out.lines(link);
  if (open === false) return;
  if (!(await openBrowser(new URL(link))))
    say('No browser could be opened. Open the link yourself.');
}
