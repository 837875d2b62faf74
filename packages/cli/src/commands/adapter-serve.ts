/** `callsign adapter serve`: serves adapters until the client disconnects or a signal comes. */

import {
  type AdapterListener,
  addressOf,
  openAdapterHttp,
  openAdapterStdio,
} from '../adapter/adapter-listener.js';
import { openAdapters, type AdapterWords } from '../adapter/open-adapters.js';
import { requireAdapters } from '../adapter/require-adapter.js';
import type { CommandModule } from '../command/command.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';

interface ServeOptions extends AdapterWords {
  readonly stdio?: true;
  readonly http?: string;
}

export const command: CommandModule<ServeOptions> = {
  describe(line) {
    line
      .description('Serves adapters as one MCP server, under their own names.')
      .argument('<files...>', 'adapters: Markdown with front matter, YAML or JSON')
      .option('--stdio', 'on standard input and output (default)')
      .option('--http <port>', 'on http://127.0.0.1:PORT/mcp; 0 means any free port')
      .option('--base-url <url>', "the address of the API, instead of the adapter's own")
      .option('--downloads <folder>', 'save binary answers as files in this folder');
  },

  async run(context, { words, options }) {
    const { stdio, http } = options;
    if (stdio && http !== undefined) throw usageFailure('Use --stdio or --http, not both.');
    const address = http === undefined ? undefined : addressOf(http);
    const adapters = await requireAdapters(words, context);
    const signals = new EndSignal();
    const opened = await openAdapters(context, adapters, options);
    let listener: AdapterListener | undefined;
    try {
      listener = address
        ? await openAdapterHttp(opened.served, address, context.stderr)
        : openAdapterStdio(opened.served, context.shell, context.stderr);
      return await Promise.race([signals.asked, listener.closed.then(() => EXIT.ok)]);
    } finally {
      await Promise.all([listener?.close(), opened.close()]);
      signals.release();
    }
  },
};
