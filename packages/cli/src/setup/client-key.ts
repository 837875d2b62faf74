/** Reads the key under which clients list us. Some clients count it as part of tool names. */

import { isRecord } from '@callsign/config';
import { DEFAULT_CLIENT_KEY } from '@callsign/naming';

import { readText } from '../clients/files/text-file.js';
import { documentIn } from '../config-file/config-text.js';

export function clientKey(file: string): string {
  const text = readText(file);
  const { callsign } = text === undefined ? {} : documentIn(text, file);
  const key = isRecord(callsign) ? callsign['clientKey'] : undefined;
  return typeof key === 'string' && key !== '' ? key : DEFAULT_CLIENT_KEY;
}
