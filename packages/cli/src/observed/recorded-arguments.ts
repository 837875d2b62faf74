/** The arguments of recorded calls, so that a tool can be observed with what clients really send. */

import { filterFrom } from '@callsign/audit/query';
import { isRecord } from '@callsign/config';

import { asking, openLog } from '../audit/audit-log.js';
import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

/** Older calls are not looked at. */
const NEWEST = 5_000;

/** By canonical name, as JSON text: those of the newest call that ended well. */
export async function recordedArguments(
  context: Context,
  options: { readonly config?: string },
  server: string,
): Promise<ReadonlyMap<string, string>> {
  const filter = filterFrom({ server, outcome: 'ok' });
  const log = await openLog(context, options);
  const records = await asking(log, () => log.reader.list({ ...filter, limit: NEWEST }));
  const found = new Map<string, string>();
  for (const record of records) {
    if (!('arguments' in record) || record.arguments === null) continue;
    if (isRecord(JSON.parse(record.arguments))) found.set(record.tool, record.arguments);
  }
  if (found.size > 0) return found;
  throw new Failure({
    exit: EXIT.usage,
    code: 'no-arguments',
    message: `No recorded call of ${server} has its arguments. To keep them: audit.arguments = "redacted".`,
  });
}
