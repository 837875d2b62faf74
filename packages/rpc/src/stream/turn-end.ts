/**
 * Work at the end of an event-loop turn. What must be done before messages are sent comes first, so
 * that a message that waits for it is sent in the same turn.
 */

export type Work = () => void;

let isScheduled = false;
let before: Work[] = [];
let sends: Work[] = [];

/** Does this at the end of the turn, before anything is sent. */
export function beforeSending(work: Work): void {
  before.push(work);
  schedule();
}

/** Does this at the end of the turn, in the order of the calls. */
export function atTurnEnd(work: Work): void {
  sends.push(work);
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(run);
}

function run(): void {
  isScheduled = false;
  const first = before;
  before = [];
  try {
    doAll(first);
  } finally {
    // Only now: the work before may have added to it.
    const rest = sends;
    sends = [];
    doAll(rest);
  }
}

/** Work that throws must not stop the work of others. */
function doAll(works: readonly Work[]): void {
  let done = 0;
  try {
    for (const work of works) {
      done++;
      work();
    }
  } finally {
    if (done < works.length) setImmediate(doAll, works.slice(done));
  }
}
