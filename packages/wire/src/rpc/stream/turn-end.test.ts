import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { afterSending, beforeSending, sendAtTurnEnd } from './turn-end.js';

function setup() {
  const done: string[] = [];
  const note = (name: string) => (): void => void done.push(name);
  return { done, note };
}

it('waits for the end of the turn', async () => {
  const { done, note } = setup();
  sendAtTurnEnd(note('send'));
  await Promise.resolve();
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual(['send']);
});

it('sends in the same turn what waited for the work before', async () => {
  const { done, note } = setup();
  afterSending(note('rest'));
  sendAtTurnEnd(note('send 1'));
  beforeSending(() => {
    done.push('write');
    sendAtTurnEnd(note('send 2'));
  });
  await nextTurn();
  expect(done).toEqual(['write', 'send 1', 'send 2', 'rest']);
});

it('leaves what is added while it sends to the next turn', async () => {
  const { done, note } = setup();
  sendAtTurnEnd(() => {
    done.push('send');
    sendAtTurnEnd(note('later'));
    beforeSending(note('write'));
  });
  await nextTurn();
  expect(done).toEqual(['send']);
  await nextTurn();
  expect(done).toEqual(['send', 'write', 'later']);
});

it('does the other work if one throws', async () => {
  const { done, note } = setup();
  const failed = new Promise((resolve) => {
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').once('uncaughtException', resolve);
    onTestFinished(() => {
      process.removeAllListeners('uncaughtException');
      for (const each of listeners) process.on('uncaughtException', each);
    });
  });
  for (const add of [beforeSending, sendAtTurnEnd, afterSending]) {
    add(note('first'));
    add(() => {
      if (add === beforeSending) throw new Error('broken');
    });
    add(note('last'));
  }
  expect(await failed).toMatchObject({ message: 'broken' });
  await nextTurn();
  expect(done.toSorted()).toEqual(['first', 'first', 'first', 'last', 'last', 'last']);
});
