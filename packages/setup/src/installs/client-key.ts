/** Reads the key under which clients list us. Some clients count it as part of tool names. */

import { readText } from '@callsign/clients';
import { isRecord } from '@callsign/config';
import { DEFAULT_CLIENT_KEY } from '@callsign/naming';

import { documentIn } from '@callsign/command';

export function clientKey(file: string): string {
  const text = readText(file);
  const { callsign } = text === undefined ? {} : documentIn(text, file);
  const key = isRecord(callsign) ? callsign['clientKey'] : undefined;
  return typeof key === 'string' && key !== '' ? key : DEFAULT_CLIENT_KEY;
}
