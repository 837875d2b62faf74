/** The registry of the configuration, or the official one. */

import { expandVariables } from '@callsign/config';

import { readText } from '../clients/files/text-file.js';
import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { readRequired } from '../config-file/required-config.js';
import { Registry } from './registry.js';

/** A configuration of the folder must be accepted first: it could send variables of this machine anywhere. */
export async function configuredRegistry(context: Context): Promise<Registry> {
  const { file, env } = context;
  if (readText(file) === undefined) return new Registry();
  const { config } = await readRequired(context);
  const { registry, network } = config.settings;
  const { allowPrivate } = network;
  if (!registry) return new Registry({ allowPrivate });
  const { secrets = new Map() } = config;
  const headers = Object.entries(registry.headers).map(([name, written]) => {
    const { text, faults } = expandVariables(written, env, { secrets });
    const [fault] = faults;
    if (!fault) return [name, text] as const;
    const reason = fault.kind === 'secret' ? fault.reason : 'is not set';
    const message = `"${fault.name}" of the setting registry.headers ${reason}.`;
    throw new Failure({ exit: EXIT.config, code: 'invalid-config', message });
  });
  return new Registry({ url: registry.url, headers: Object.fromEntries(headers), allowPrivate });
}
