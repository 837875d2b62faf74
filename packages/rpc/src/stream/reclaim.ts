/**
 * Makes V8 free the memory of long texts soon after use. V8 starts its first full collection at
 * several hundred megabytes, so a few long answers would stay in memory while there is little other
 * work.
 */

type Collect = (options: { type: 'major'; execution: 'async' }) => unknown;

/** Bytes. Shorter texts are freed soon enough without this. */
const LONG = 512 * 1024;
/** Bytes. A collection takes some milliseconds, so it must free at least this much. */
const WORTH = 16 * 1024 * 1024;
/**
 * From the first long texts on, V8 collects when its heap has grown by this much. It does so in
 * small steps between calls, while a collection that we ask for stops all calls.
 */
const GROWING = '--heap-growing-percent=50';

/** Without long texts for this time, a collection in one step is not in the way of calls. */
const CALM_MS = 1_000;

let passed = 0;
let calm: NodeJS.Timeout | undefined;
let collect: Collect | undefined;

/** Call it when a text of this many bytes was read. */
export function textPassed(bytes: number): void {
  if (bytes >= LONG) bytesReleased(bytes);
}

/** Call it when this many bytes that waited for a client were sent or dropped. */
export function bytesReleased(bytes: number): void {
  passed += bytes;
  if (passed < WORTH) return;
  passed = 0;
  if (!collect) {
    collect = collector();
    // V8 computes its limit at the end of a collection.
    setImmediate(run);
  }
  if (calm) calm.refresh();
  else calm = setTimeout(run, CALM_MS).unref();
}

function run(): void {
  collect!({ type: 'major', execution: 'async' });
}

function collector(): Collect {
  // Loaded at the first use: it takes a few milliseconds at each start.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString(GROWING);
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
