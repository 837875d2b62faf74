/** Creates the text of a new configuration, and the schema file for editors. */

import { dirname, join } from 'node:path';

import { withValue } from '@callsign/config';
import { configSchema } from '@callsign/gateway/host';

import { replaceText } from '../clients/files/text-file.js';
import { userConfig } from '../command/config-path.js';

const SCHEMA_NAME = 'callsign.schema.json';

/** The user's own file names a schema beside it, so that editors need no network. */
export function newConfigText(file: string): string {
  const start = file === userConfig() ? withValue('', ['$schema'], `./${SCHEMA_NAME}`) : '';
  return withValue(start, ['mcpServers'], {});
}

/** Writes the schema beside the user's own file, and never into a project. */
export function writeSchema(file: string): void {
  if (file !== userConfig()) return;
  replaceText(join(dirname(file), SCHEMA_NAME), `${JSON.stringify(configSchema(), null, 2)}\n`);
}
