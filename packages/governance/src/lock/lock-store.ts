/**
 * Where the lock is kept: in a file beside the configuration, or in a store that instances share.
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { exclusively, replaceFile, watchConfig } from '@callsign/config';

/** Holds the text of the lock file. */
export interface LockStore {
  /** Where it is, for people. */
  readonly place: string;
  /** The text; `undefined` if there is none yet. Throws if it cannot be read. */
  read(): string | undefined;
  /**
   * Replaces the text, one process at a time. `change` gets the text at that moment and returns the
   * new one.
   */
  change(change: (before: string | undefined) => string): Promise<void>;
  /** Calls back when the text may have changed. Returns a function that stops it. */
  watch(listener: () => void): () => void;
}

/** Where the lock file is: beside the configuration. All configurations in one folder share it. */
export function lockFileOf(configFile: string): string {
  return join(dirname(configFile), 'callsign.lock.json');
}

/** The lock in a file, to be committed with the configuration. */
export function fileLock(file: string): LockStore {
  const read = (): string | undefined => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    place: file,
    read,
    change: (change) =>
      exclusively(file, async () => {
        const before = read();
        const text = change(before);
        if (text !== before) replaceFile(file, text, { mode: 0o644, isDurable: true });
      }),
    watch(listener) {
      const watch = watchConfig(file, listener);
      return () => watch.close();
    },
  };
}

/**
 * A shared lock that starts with the content of a file. Once something is accepted, the file is not
 * used any more.
 */
export function startedFrom(shared: LockStore, file: LockStore): LockStore {
  return {
    place: shared.place,
    read: () => shared.read() ?? file.read(),
    change: (change) => shared.change((before) => change(before ?? file.read())),
    watch: (listener) => shared.watch(listener),
  };
}
