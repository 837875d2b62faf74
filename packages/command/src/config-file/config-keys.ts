/** The API keys in the configuration file. */

import { API_KEY, type ApiKeyStore } from '@callsign/auth';
import { isRecord, withElement, withoutElement } from '@callsign/config';

import type { Context } from '../command/command.js';
import { documentIn, requireText, saveText } from './config-text.js';

const PATH = ['callsign', 'auth', 'keys'];

/**
 * A change rewrites the file and keeps its comments. `list` leaves out entries that are not valid
 * keys.
 */
export function configKeys(context: Context): ApiKeyStore {
  const { file } = context;
  return {
    place: file,
    list: () => keysIn(requireText(file), file).flatMap((key) => API_KEY.safeParse(key).data ?? []),
    async add({ roles, ...key }) {
      const before = requireText(file);
      if (keysIn(before, file).some((each) => nameOf(each) === key.name)) return false;
      const entry = roles.length === 0 ? key : { ...key, roles };
      saveText(context, before, withElement(before, PATH, entry));
      return true;
    },
    async remove(name) {
      const before = requireText(file);
      const index = keysIn(before, file).findIndex((each) => nameOf(each) === name);
      if (index === -1) return false;
      saveText(context, before, withoutElement(before, PATH, index));
      return true;
    },
  };
}

/** As written: they may have problems. */
function keysIn(text: string, file: string): readonly unknown[] {
  const { callsign } = documentIn(text, file);
  const { auth } = isRecord(callsign) ? callsign : {};
  const keys = isRecord(auth) ? auth['keys'] : undefined;
  return Array.isArray(keys) ? keys : [];
}

function nameOf(key: unknown): unknown {
  return isRecord(key) ? key['name'] : undefined;
}
