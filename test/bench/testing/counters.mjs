// Loaded into a gateway before its own code: counts what it does, between two messages of the test.
import { createHook } from 'node:async_hooks';
import { Socket } from 'node:net';
import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

let counts;
let profiler;
let heapBefore = 0;

function countCalls(owner, method, note) {
  const original = owner[method];
  owner[method] = function counted(...args) {
    if (counts !== undefined) note(args, this);
    return original.apply(this, args);
  };
}

countCalls(JSON, 'parse', ([text]) => {
  counts.parses++;
  counts.parsedLength += String(text).length;
});
countCalls(Map.prototype, 'get', () => counts.lookUps++);
countCalls(Socket.prototype, 'write', (_args, socket) => {
  // Messages to the test do not count.
  if (socket !== process.stderr) counts.writes++;
});

const hook = createHook({
  init(_id, type) {
    if (type === 'PROMISE') counts.promises++;
    else if (type === 'Timeout') counts.timers++;
  },
});

process.on('message', (word) => {
  if (word === 'start') start(false);
  else if (word === 'start with allocations') start(true);
  else process.send(stop());
});
// Must not keep a gateway alive after its client has disconnected.
process.channel?.unref();

/** The hooks allocate objects themselves, so allocations are measured without them. */
function start(withAllocations) {
  collect();
  counts = { parses: 0, parsedLength: 0, lookUps: 0, writes: 0, promises: 0, timers: 0 };
  if (withAllocations) {
    profiler = new GCProfiler();
    profiler.start();
  } else hook.enable();
  heapBefore = process.memoryUsage().heapUsed;
  process.send('started');
}

function stop() {
  hook.disable();
  const counted = counts;
  counts = undefined;
  const heapNow = process.memoryUsage().heapUsed;
  const collections = profiler?.stop().statistics ?? [];
  const collected = collections.reduce(
    (sum, { beforeGC, afterGC }) =>
      sum + beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
    0,
  );
  const aged = collections
    .filter(({ gcType }) => gcType === 'Scavenge')
    .reduce((sum, { beforeGC, afterGC }) => sum + oldBytes(afterGC) - oldBytes(beforeGC), 0);
  profiler = undefined;
  collect();
  return {
    ...counted,
    allocated: heapNow - heapBefore + collected,
    retained: process.memoryUsage().heapUsed - heapBefore,
    aged,
  };
}

function oldBytes({ heapSpaceStatistics }) {
  return heapSpaceStatistics.find(({ spaceName }) => spaceName === 'old_space').spaceUsedSize;
}
