/** The log of a gateway in the background: a file with the time of each line. Old lines move to another file. */

import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';

import { makeFolder } from '@callsign/config';

const MAX_BYTES = 5 * 1024 * 1024;
/** Besides the current one. The oldest is overwritten. */
const OLD_FILES = 2;

/** Never fails: a gateway whose log cannot be written still serves. */
export function openLogFile(file: string): NodeJS.WriteStream {
  const stream = new Writable({
    decodeStrings: false,
    write(text: string | Buffer, _encoding, done) {
      write(file, String(text));
      done();
    },
  });
  return stream as NodeJS.WriteStream;
}

function write(file: string, text: string): void {
  try {
    rotate(file);
    makeFolder(dirname(file));
    const time = new Date().toISOString();
    const lines = text.trimEnd().split('\n');
    appendFileSync(file, lines.map((line) => `${time} ${line}\n`).join(''), { mode: 0o600 });
  } catch {
    // A full disk, for example.
  }
}

function rotate(file: string): void {
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (size < MAX_BYTES) return;
  for (let age = OLD_FILES; age > 0; age--) {
    const from = age === 1 ? file : `${file}.${age - 1}`;
    if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${file}.${age}`);
  }
}
