import { expect } from 'vitest';

/**
 * Starts a call of the plain server and waits until the server has it. `calls` calls the tool of that name,
 * which counts the calls so far, its own included; nothing else may call the server meanwhile.
 */
export async function arrived<T>(calls: () => Promise<number>, start: () => T): Promise<T> {
  const before = await calls();
  const started = start();
  let asked = 0;
  await expect.poll(async () => (await calls()) - before - ++asked).toBe(1);
  return started;
}
