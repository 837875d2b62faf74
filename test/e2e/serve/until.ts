import { setTimeout as sleep } from 'node:timers/promises';

/** The time limit of a wait. Long, so that no test fails on a busy machine. */
const LIMIT_MS = 90_000;

/** Waits until a condition holds. Fails if it never does. A condition that throws does not hold yet. */
export async function until(
  holds: () => unknown,
  { what = String(holds) }: { what?: string } = {},
): Promise<void> {
  const start = performance.now();
  for (;;) {
    let cause: unknown;
    try {
      if (await holds()) return;
    } catch (error) {
      cause = error;
    }
    if (performance.now() - start > LIMIT_MS) {
      throw new Error(`It did not come true: ${what}`, { cause });
    }
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
