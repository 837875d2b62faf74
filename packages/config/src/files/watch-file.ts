/** Watches the configuration file, however an editor writes it: in place, by renaming, through a link. */

import { unwatchFile, watchFile } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Often enough that a mistake is reported while the editor is still in front of its owner. */
const POLL_MS = 200;
const SETTLE_MS = 80;
/** A file that is empty or gone may be in the middle of being written, but not for ever. */
const MAX_WAIT_MS = 1_000;

export interface ConfigWatch {
  /** Looks now, whatever the state of the file says. */
  look(): void;
  close(): void;
}

/**
 * Calls back whenever the file may have become another one and has come to rest. It asks for the state
 * of the file by its name, again and again: that sees a replaced file and a moved link, which a watch
 * on the file itself does not.
 */
export function watchConfig(file: string, onChange: () => void | Promise<void>): ConfigWatch {
  let isLooking = false;
  let isAsked = false;
  let isClosed = false;
  const look = async (): Promise<void> => {
    isAsked = true;
    if (isLooking) return;
    isLooking = true;
    while (isAsked) {
      isAsked = false;
      const isReadable = await settle(file);
      if (isClosed) return;
      if (isReadable) await onChange();
    }
    isLooking = false;
  };
  const listener = (): void => void look();
  watchFile(file, { interval: POLL_MS, persistent: false }, listener);
  return {
    look: listener,
    close() {
      isClosed = true;
      unwatchFile(file, listener);
    },
  };
}

/**
 * Waits until the text stops changing; an editor may have emptied the file before it writes. False if it
 * is no file that can be read again: a shell can put a pipe in its place.
 */
async function settle(file: string): Promise<boolean> {
  let last: string | undefined;
  for (let waited = 0; waited <= MAX_WAIT_MS; waited += SETTLE_MS) {
    const state = await stat(file).catch(() => undefined);
    if (state && !state.isFile()) return false;
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '' && text === last) return true;
    last = text;
    await sleep(SETTLE_MS);
  }
  return true;
}
