import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait for something that never comes. Long, so that a busy machine fails no test. */
const LIMIT_MS = 90_000;

/** Waits until a condition holds. Fails if it never does. */
export async function until(
  holds: () => unknown,
  { what = String(holds) }: { what?: string } = {},
): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > LIMIT_MS) throw new Error(`It did not come true: ${what}`);
    await sleep(20);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
