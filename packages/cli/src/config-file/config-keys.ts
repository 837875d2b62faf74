/** The API keys in the configuration file. */

import { API_KEY, type ApiKeyStore } from '@callsign/auth';
import { isRecord, withElement, withoutElement } from '@callsign/config';

import type { Context } from '../command/command.js';
import { documentIn, editConfig, requireText } from './config-text.js';

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
    add({ roles, ...key }) {
      const entry = roles.length === 0 ? key : { ...key, roles };
      return editConfig(context, (text) => {
        const isThere = keysIn(text, file).some((each) => nameOf(each) === key.name);
        return isThere ? text : withElement(text, PATH, entry);
      });
    },
    remove(name) {
      return editConfig(context, (text) => {
        const index = keysIn(text, file).findIndex((each) => nameOf(each) === name);
        return index === -1 ? text : withoutElement(text, PATH, index);
      });
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
