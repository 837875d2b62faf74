/** `callsign` without a command: shows what it is, what was found, and the next command. */

import { summaryOf } from '@callsign/config';
import { counted } from '@callsign/terminal';

import { placeHere } from '../clients/apps/client-app.js';
import { isCallsign } from '../clients/apps/translate-entry.js';
import { findClientFiles, readClientFile } from '../clients/files/client-file.js';
import { FileFailure } from '../clients/files/file-failure.js';
import { readText } from '../clients/files/text-file.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { entriesIn } from '../config-file/config-text.js';

interface FoundClient {
  readonly client: string;
  readonly label: string;
  readonly file: string;
  readonly servers: number;
  readonly hasCallsign: boolean;
}

export const command: CommandModule = {
  describe(line) {
    line.description('One MCP endpoint for all your MCP servers.');
  },

  async run(context) {
    const { file, json, out } = context;
    const servers = serversOf(context);
    const clients = foundClients(context);
    const next = context.copyable(nextCommand(servers, clients));
    if (json) {
      const count = servers === 'broken' ? 0 : servers;
      out.json({ config: count === undefined ? null : { file, servers: count }, clients, next });
      return EXIT.ok;
    }
    const { paint } = out;
    out.lines(paint('name', 'callsign') + ': one MCP endpoint for all your MCP servers', '');
    if (servers === undefined) out.lines(`No configuration at ${file}.`);
    else if (servers === 'broken') out.lines(`${file} cannot be read.`);
    else out.lines(`${file}: ${counted(servers, 'server')}.`);
    if (clients.length === 0) out.lines('No client with servers was found on this machine.');
    else {
      out.lines('');
      out.table(clients, [
        { title: 'CLIENT', text: ({ label }) => label, tint: () => 'name' },
        { title: 'SERVERS', text: (each) => `${each.servers}` },
        { title: 'CALLSIGN', text: ({ hasCallsign }) => (hasCallsign ? 'installed' : '') },
        { title: 'FILE', text: (each) => each.file },
      ]);
    }
    out.lines(
      '',
      `Next: ${paint('changed', next)}`,
      context.copyable('All commands: callsign --help'),
    );
    return EXIT.ok;
  },
};

/** How many servers the configuration has. Missing if there is no configuration. */
function serversOf({ file }: Context): number | 'broken' | undefined {
  try {
    const text = readText(file);
    return text === undefined ? undefined : entriesIn(text, file).length;
  } catch (error) {
    if (error instanceof Failure || error instanceof FileFailure) return 'broken';
    throw error;
  }
}

function foundClients(context: Context): FoundClient[] {
  const place = placeHere(context);
  return findClientFiles(place).flatMap(({ app, file }) => {
    try {
      const servers = readClientFile(app, file, place);
      const own = servers.filter(({ entry }) => {
        const { command: program = '', args } = summaryOf(entry);
        return isCallsign(program, args);
      });
      const others = servers.length - own.length;
      if (servers.length === 0) return [];
      const { id, label } = app;
      return [{ client: id, label, file, servers: others, hasCallsign: own.length > 0 }];
    } catch (error) {
      if (!(error instanceof FileFailure)) throw error;
      context.stderr.log('warning', error.message);
      return [];
    }
  });
}

function nextCommand(
  servers: ReturnType<typeof serversOf>,
  clients: readonly FoundClient[],
): string {
  if (servers === 'broken') return 'callsign validate';
  const hasOthers = clients.some((each) => each.servers > 0);
  if (servers === undefined && hasOthers) return 'callsign setup';
  if (servers === undefined || servers === 0) return 'callsign add NAME -- COMMAND';
  const done = new Set(clients.flatMap((each) => (each.hasCallsign ? each.client : [])));
  const client = clients.find((each) => !done.has(each.client));
  if (client) return `callsign install --move --client ${client.client}`;
  return clients.length > 0 ? 'callsign doctor' : 'callsign serve';
}
