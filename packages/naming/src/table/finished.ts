/** Does work that pauses, without the pauses. */
export function finished<T>(work: Generator<undefined, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
