// A setup file for vitest. Records which functions each test enters, in the metadata that vitest reports.
import { afterAll, afterEach, beforeEach } from 'vitest';

/** Entered while no test ran: by the module itself, by hooks, or by work that a test left behind. */
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
