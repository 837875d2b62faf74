import { describe, expect, it } from 'vitest';

import { EventLog } from './event-log.js';
import { EventMemory } from './event-memory.js';

describe('the events of all sessions', () => {
  it('have one limit, and the oldest stream is dropped first', () => {
    const memory = new EventMemory(100);
    const logs = ['a', 'b', 'c'].map((id) => new EventLog(id, memory));
    for (const log of logs) log.add('x'.repeat(40));
    expect(logs.map(({ isForgotten }) => isForgotten)).toEqual([true, false, false]);
    logs[1]!.add('x'.repeat(30));
    expect(logs.map(({ length }) => length)).toEqual([0, 70, 0]);
  });

  it('are released when a stream ends', () => {
    const memory = new EventMemory(100);
    const first = new EventLog('a', memory);
    first.add('x'.repeat(90));
    first.forget();
    const second = new EventLog('b', memory);
    second.add('x'.repeat(90));
    expect(second.isForgotten).toBe(false);
  });

  it('that are longer than the limit are not kept', () => {
    const log = new EventLog('a', new EventMemory(10));
    log.add('x'.repeat(11));
    expect([log.length, log.isForgotten, log.hasEvents]).toEqual([0, true, true]);
  });
});
