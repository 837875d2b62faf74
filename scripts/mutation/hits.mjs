// A setup file for vitest. Records which functions each test enters, in the metadata that vitest reports.
import { afterAll, afterEach, beforeEach } from 'vitest';

/**
 * Functions that were entered outside a test: by the module, by hooks, or by unfinished work of a
 * test.
 */
const outside = new Set();
let current = outside;
let file;

globalThis.callsignHit = (unit) => current.add(unit);

beforeEach(({ task }) => {
  file = task.file;
  current = new Set();
});

afterEach(({ task }) => {
  task.meta.entered = [...current];
  current = outside;
});

afterAll(() => {
  if (file !== undefined) file.meta.entered = [...outside];
});
