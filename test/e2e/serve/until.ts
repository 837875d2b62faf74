import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something holds, and fails if it does not in time. */
export async function until(
  holds: () => unknown,
  { within = 5_000, what = String(holds) }: { within?: number; what?: string } = {},
): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > within) throw new Error(`Not within ${within} ms: ${what}`);
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
