/** What a configuration starts, for the person who is asked whether it may. */

import { isRecord, startOf, type WrittenEntry } from '@callsign/config';
import { loadsCode } from '@callsign/gateway/host';
import { onOneLine } from '@callsign/terminal';

import { documentIn, entriesIn } from './config-text.js';

/** One line for each server, module and store, and more where something else decides what runs. */
export function startsIn(text: string, file: string): string[] {
  const { callsign } = documentIn(text, file);
  const { modules, stores } = isRecord(callsign) ? callsign : {};
  return [
    ...entriesIn(text, file).flatMap(({ key, entry }) => entryStarts(key, entry)),
    ...codeIn('module', modules),
    ...codeIn('store', stores),
  ].map(onOneLine);
}

/** What one server starts or connects to. */
export function entryStarts(key: string, entry: WrittenEntry): string[] {
  const { command, cwd } = entry;
  const { env } = isRecord(command) ? command : entry;
  const loading = Object.keys(isRecord(env) ? env : {}).filter(loadsCode);
  return [
    `${key}: ${startOf(entry)}`,
    ...(typeof cwd === 'string' ? [`${key}: in the folder ${cwd}`] : []),
    ...(loading.length > 0 ? [`${key}: with ${loading.join(', ')}, which can load code`] : []),
  ];
}

function codeIn(what: string, list: unknown): string[] {
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.map((each) => `${what}: ${String(isRecord(each) ? each['use'] : each)}`);
}
