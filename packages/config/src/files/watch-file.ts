/** Watches the configuration file. Editors write it in place, by renaming, or through a link. */

import { unwatchFile, watchFile } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { isShellPipe, NotAFile, readPlainFile } from './plain-file.js';

/** Short enough to report a mistake while the editor is still open. */
const POLL_MS = 200;
const SETTLE_MS = 80;
/** An empty or missing file may be in the middle of a write, but not for longer than this. */
const MAX_WAIT_MS = 1_000;

/** A running watch. It does not keep the process alive. */
export interface ConfigWatch {
  /** Checks now, even if the file looks unchanged. Resolves after the callback has returned. */
  look(): Promise<void>;
  close(): void;
}

/**
 * Calls back when the file may have changed and no longer changes. Never calls back twice at once.
 * It polls the file by name: that detects a replaced file and a moved link, which a watch on the
 * file itself does not.
 */
export function watchConfig(file: string, onChange: () => void | Promise<void>): ConfigWatch {
  let looking: Promise<void> | undefined;
  let isAsked = false;
  let isClosed = false;
  const lookWhileAsked = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false;
      const isReadable = await settle(file);
      if (isClosed) return;
      if (isReadable) await onChange();
    }
  };
  const look = (): Promise<void> => {
    isAsked = true;
    looking ??= lookWhileAsked().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const listener = (): void => void look();
  watchFile(file, { interval: POLL_MS, persistent: false }, listener);
  return {
    look,
    close() {
      isClosed = true;
      unwatchFile(file, listener);
    },
  };
}

/**
 * Waits until the text stops changing, since an editor may empty the file before it writes. Returns
 * false if the file cannot be read a second time, such as a pipe from a shell.
 */
async function settle(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found && isShellPipe(file, found)) return false;
  let last: string | undefined;
  for (let waited = 0; waited <= MAX_WAIT_MS; waited += SETTLE_MS) {
    let text = '';
    try {
      text = String(await readPlainFile(file));
    } catch (error) {
      // It does not change any more, and reading it might never end.
      if (error instanceof NotAFile) return true;
    }
    if (text !== '' && text === last) return true;
    last = text;
    await sleep(SETTLE_MS, undefined, { ref: false });
  }
  return true;
}
