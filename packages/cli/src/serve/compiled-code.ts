/**
 * Loads a bundled file with the code that V8 compiled at an earlier start. Compiling takes about a third of the
 * time from the start of the command to its first call. Newer versions of Node do this themselves.
 */

import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

import { replaceFile } from '@callsign/config/replace-file';

/** After this time, the functions that a start needs have been compiled. */
const SAVE_AFTER_MS = 5_000;
const HEAD = '(function(exports,require,module,__filename){';
const DIGEST_BYTES = 32;

type Wrapped = (exports: object, require: NodeJS.Require, module: object, file: string) => void;

/** Loads a CommonJS file with ASCII characters only and without dynamic imports. */
export function loadCompiled(file: string): unknown {
  const require = createRequire(file);
  if ('enableCompileCache' in module) return require(file);
  // Beside the file: those who may write there may change the file itself.
  const place = placeFor(file);
  const source = readFileSync(file);
  const cachedData = readCompiled(place, source);
  const script = new Script(`${HEAD}${source.toString('latin1')}\n})`, {
    filename: file,
    columnOffset: -HEAD.length,
    ...(cachedData && { cachedData }),
  });
  const loaded = { exports: {} };
  (script.runInThisContext() as Wrapped)(loaded.exports, require, loaded, file);
  if (!cachedData || script.cachedDataRejected) {
    setTimeout(() => {
      // With other flags, V8 would not take it at the next start.
      if (placeFor(file) === place) save(script, place, source);
    }, SAVE_AFTER_MS).unref();
  }
  return loaded.exports;
}

/** V8 takes only what the same version compiled, with the same flags, for the same processor. */
function placeFor(file: string): string {
  return `${file}.${process.version}-${process.platform}-${cachedDataVersionTag()}.cache`;
}

/** V8 compares only the length of the source, and does not check all of the data. */
function readCompiled(place: string, source: Buffer): Buffer | undefined {
  try {
    const bytes = readFileSync(place);
    const data = bytes.subarray(DIGEST_BYTES);
    return digest(source, data).equals(bytes.subarray(0, DIGEST_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  }
}

function save(script: Script, place: string, source: Buffer): void {
  try {
    accessSync(dirname(place), constants.W_OK);
    const data = script.createCachedData();
    replaceFile(place, Buffer.concat([digest(source, data), data]), { mode: 0o644 });
  } catch {
    // The folder cannot be written. Then each start compiles.
  }
}

function digest(source: Buffer, data: Buffer): Buffer {
  return createHash('sha256').update(source).update(data).digest();
}
