import { describe, expect, it } from 'vitest';

import { EventLog, EventMemory, FinishedStreams, streamOf } from './event-log.js';

describe('an event log', () => {
  it('returns the events after an event', () => {
    const log = new EventLog('s1');
    const ids = ['a', 'b', 'c'].map((data) => log.add(data));
    expect(log.after(ids[0]!)?.map(({ data }) => data)).toEqual(['b', 'c']);
    expect(log.after(ids[2]!)).toEqual([]);
    expect(ids.map(streamOf)).toEqual(['s1', 's1', 's1']);
  });

  it('does not know events that never existed', () => {
    const log = new EventLog('s1');
    log.add('a');
    for (const id of ['s1-2', 's1-x', 'none']) expect(log.after(id)).toBeUndefined();
    expect(['none', '', '-'].map(streamOf)).toEqual(['', '', '']);
  });

  it('keeps a limited amount, and always the newest', () => {
    const log = new EventLog('s1');
    const first = log.add('x');
    for (let count = 0; count < 2_000; count++) log.add('x'.repeat(1_000));
    expect(log.length).toBeLessThanOrEqual(1024 * 1024);
    expect(log.after(first)!.length).toBeLessThanOrEqual(1_000);
    const last = log.add('y'.repeat(5_000_000));
    expect(log.after(`s1-${Number(last.slice(3)) - 1}`)).toHaveLength(1);
  });
});

describe('finished streams', () => {
  const logOf = (streamId: string, length: number): EventLog => {
    const log = new EventLog(streamId);
    log.add('x'.repeat(length));
    return log;
  };

  it('are remembered for a while', () => {
    const streams = new FinishedStreams();
    streams.add(logOf('s1', 10));
    streams.sweep(Date.now() + 60_000);
    expect(streams.get('s1')).toBeDefined();
    streams.sweep(Date.now() + 600_000);
    expect(streams.get('s1')).toBeUndefined();
  });

  it('are forgotten oldest first when they are too many or too long', () => {
    const streams = new FinishedStreams();
    for (let count = 0; count < 300; count++) streams.add(logOf(`s${count}`, 10));
    expect([streams.get('s0'), streams.get('s43')]).toEqual([undefined, undefined]);
    expect(streams.get('s44')).toBeDefined();
    streams.add(logOf('long', 10_000_000));
    expect(streams.get('s299')).toBeUndefined();
    expect(streams.get('long')).toBeDefined();
  });
});

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
