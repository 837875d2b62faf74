/** Functions of a native adapter in tests. */

export function add({ a, b }) {
  return { sum: a + b };
}

export async function wait(_, { signal }) {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

export function fail() {
  throw new Error('The pump is dry.');
}

export function nothing() {
  return undefined;
}

export const NUMBER = 5;
