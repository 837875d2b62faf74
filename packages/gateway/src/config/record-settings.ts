/** Loads only the settings that say where records are, so that no other problem hides the records. */

import { AUDIT_SETTINGS } from '@callsign/audit';
import {
  checkValue,
  createProblemLog,
  memberOf,
  parseDocument,
  WITHOUT_COMPILING,
} from '@callsign/config';
import type { Problem, SettingOf } from '@callsign/config';
import { withoutBom } from '@callsign/core';
import { STORAGE_SETTINGS } from '@callsign/instances';
import { getNodeValue } from 'jsonc-parser';
import * as z from 'zod';

import { readConfigFile } from './load-config.js';
import { STORES } from './module-settings.js';

/** Other settings are not looked at. */
const RECORD_SETTINGS = z.lazy(() =>
  z.object({
    audit: AUDIT_SETTINGS,
    storage: z.exactOptional(STORAGE_SETTINGS),
    stores: z.exactOptional(STORES),
  }),
);

/**
 * The settings, or the problems of these settings and of the file itself. `bytes`: the content, if it
 * was read already.
 */
export async function loadRecordSettings(
  file: string,
  bytes?: Uint8Array,
): Promise<
  | { readonly ok: true; readonly settings: SettingOf<typeof RECORD_SETTINGS> }
  | { readonly ok: false; readonly problems: readonly Problem[] }
> {
  const read = await readConfigFile(file, bytes);
  if (typeof read !== 'string') return read;
  const text = withoutBom(read);
  const log = createProblemLog(file, text);
  const root = parseDocument(text, log);
  const node = root && memberOf(root, 'callsign')?.value;
  const settings = node
    ? checkValue(RECORD_SETTINGS, getNodeValue(node), node, log)
    : RECORD_SETTINGS.parse({}, WITHOUT_COMPILING);
  return root && settings ? { ok: true, settings } : { ok: false, problems: log.problems() };
}
