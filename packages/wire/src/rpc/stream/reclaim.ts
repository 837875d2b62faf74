/**
 * Makes V8 free the memory of long messages soon after use. V8 starts its first full collection at
 * several hundred megabytes, so a few long answers would stay in memory while there is little other
 * work.
 */

type Collect = (options: { type: 'major'; execution: 'async' }) => unknown;

/** Bytes. Shorter texts are freed soon enough without this. */
const LONG = 512 * 1024;
/** Bytes. A collection takes some milliseconds, so it must free at least this much. */
const WORTH = 16 * 1024 * 1024;
/**
 * From the first long messages on, V8 collects when its heap has grown by this much. It does so in
 * small steps between calls, while a collection that we ask for stops all calls. Bytes are outside
 * of the heap, which is small without long texts: V8 would collect for nearly every message.
 */
const GROWING = { texts: '--heap-growing-percent=50', bytes: '--heap-growing-percent=300' };

/** Without long messages for this time, a collection in one step is not in the way of calls. */
const CALM_MS = 1_000;

let passed = 0;
let hasTexts = false;
let growing: string | undefined;
let calm: NodeJS.Timeout | undefined;
let collect: Collect | undefined;

/** Call it when a text of this many bytes was read. */
export function textPassed(bytes: number): void {
  if (bytes < LONG) return;
  hasTexts = true;
  bytesPassed(bytes);
}

/** Call it when this many bytes were read as they are, or waited for a client that is served now. */
export function bytesPassed(bytes: number): void {
  passed += bytes;
  if (passed < WORTH) return;
  passed = 0;
  setGrowth(hasTexts ? GROWING.texts : GROWING.bytes);
  if (calm) calm.refresh();
  else calm = setTimeout(run, CALM_MS).unref();
}

function setGrowth(flag: string): void {
  if (flag === growing) return;
  growing = flag;
  process.getBuiltinModule('node:v8').setFlagsFromString(flag);
  // V8 computes its limit at the end of a collection.
  setImmediate(run);
}

function run(): void {
  collect ??= collector();
  collect({ type: 'major', execution: 'async' });
}

function collector(): Collect {
  // Loaded at the first use: it takes a few milliseconds at each start.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
