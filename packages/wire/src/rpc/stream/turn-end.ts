/**
 * Work at the end of an event-loop turn, in three steps. A message that waits for the first one is
 * sent in the same turn, and no message waits for the last one.
 */

type Work = () => void;

const steps: { before: Work[]; send: Work[]; after: Work[] } = { before: [], send: [], after: [] };
let isScheduled = false;

/** Does this at the end of the turn, before anything is sent. */
export function beforeSending(work: Work): void {
  steps.before.push(work);
  schedule();
}

/** Sends something at the end of the turn. */
export function sendAtTurnEnd(work: Work): void {
  steps.send.push(work);
  schedule();
}

/** Does this at the end of the turn, after everything is sent. */
export function afterSending(work: Work): void {
  steps.after.push(work);
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(run);
}

function run(): void {
  isScheduled = false;
  doAll('before');
  doAll('send');
  doAll('after');
}

function doAll(step: keyof typeof steps): void {
  const works = steps[step];
  if (works.length === 0) return;
  steps[step] = [];
  let done = 0;
  try {
    while (done < works.length) works[done++]!();
  } catch (error) {
    // Work that throws must not stop the work of others.
    steps[step].unshift(...works.slice(done));
    schedule();
    throw error;
  }
}
