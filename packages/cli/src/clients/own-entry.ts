/** The entry by which a client starts Callsign. */

import { realpathSync } from 'node:fs';

import { DEFAULT_CLIENT_KEY } from '@callsign/naming';

import type { Context } from '../command/command.js';
import { documentIn, readText } from '../config-file/config-text.js';
import {
  isRecord,
  type WrittenEntry,
  CLIENT_APPS,
  placeHere,
  type ClientApp,
} from '@callsign/config';
import { usageFailure } from '../command/failure.js';
import type { Installation } from './client-install.js';

export function installationIn(context: Context, client: string | undefined): Installation {
  const app = appCalled(client);
  const [file = ''] = app.files(placeHere(context.env));
  return { app, file, key: clientKey(context), entry: ownEntry(app, context.file) };
}

function appCalled(client: string | undefined): ClientApp {
  const known = CLIENT_APPS.map(({ id }) => id).join(', ');
  const app = CLIENT_APPS.find(({ id }) => id === client);
  if (app) return app;
  const which = client === undefined ? 'Say which client' : `There is no client "${client}"`;
  throw usageFailure(`${which}: --client takes ${known}.`);
}

/** Programs with a window hardly have a PATH, so everything is written out; npx finds itself again. */
function ownEntry({ entryExtras = {} }: ClientApp, config: string): WrittenEntry {
  const script = realpathSync(process.argv[1] ?? '');
  const serve = ['serve', '--config', config];
  return /[/\\]_npx[/\\]/.test(script)
    ? { ...entryExtras, command: 'npx', args: ['-y', 'mcp-callsign', ...serve] }
    : { ...entryExtras, command: process.execPath, args: [script, ...serve] };
}

/** As the configuration says; names are measured by it. */
function clientKey({ file }: Context): string {
  const text = readText(file);
  const { callsign } = text === undefined ? {} : documentIn(text, file);
  const key = isRecord(callsign) ? callsign['clientKey'] : undefined;
  return typeof key === 'string' && key !== '' ? key : DEFAULT_CLIENT_KEY;
}
