import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { StaggeredStarts } from './staggered-starts.js';

/** Starts that note their name. */
function noted(): { started: string[]; start: (name: string) => () => void } {
  const started: string[] = [];
  return { started, start: (name) => () => void started.push(name) };
}

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await nextTurn();
}

it('D14: servers whose lists are remembered start when they are released, others at once', async () => {
  const { started, start } = noted();
  const starts = new StaggeredStarts();
  starts.add(start('remembered'), true);
  starts.add(start('new'), false);
  await turns(5);
  expect(started).toEqual(['new']);
  starts.release();
  await turns(5);
  expect(started).toEqual(['new', 'remembered']);
  starts.add(start('reloaded'), true);
  await turns(5);
  expect(started).toEqual(['new', 'remembered', 'reloaded']);
});

it('start one at a time, with a turn of the event loop between two', async () => {
  const { started, start } = noted();
  const starts = new StaggeredStarts();
  for (const name of ['a', 'b', 'c']) starts.add(start(name), false);
  expect(started).toEqual([]);
  await nextTurn();
  expect(started).toEqual(['a']);
  await turns(5);
  expect(started).toEqual(['a', 'b', 'c']);
});

it('start at once, and once, when a call waits for them', async () => {
  const { started, start } = noted();
  const starts = new StaggeredStarts();
  const wanted = start('wanted');
  starts.add(wanted, true);
  starts.hurry(wanted);
  starts.hurry(wanted);
  expect(started).toEqual(['wanted']);
  starts.release();
  await turns(5);
  expect(started).toEqual(['wanted']);
});
