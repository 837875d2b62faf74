import { describe, expect, it } from 'vitest';

import { lineHead, partHeader, recordOf } from './line-head.js';

const HASH = 'a'.repeat(64);

describe('the start of a line', () => {
  it.each([
    [`{"prev":"${HASH}","id":"w1-12","time":`, { prev: HASH, writer: 'w1', n: 12 }],
    ['{"id":"w1-0","time":', { writer: 'w1', n: 0 }],
    [' {"id":"w1-0","time":', undefined],
    ['{"time":"t","id":"w1-0"}', undefined],
    ['{"id":"w1-x","time":', undefined],
    ['{"id":"W-1","time":', undefined],
    ['{"prev":"short","id":"w1-0","', undefined],
    ['', undefined],
  ])('%s', (line, head) => {
    expect(lineHead(line)).toEqual(head);
    if (head && !('prev' in head)) expect(lineHead(line)).not.toHaveProperty('prev');
  });

  it('tells the header of a part from other records', () => {
    const header = `{"prev":"${HASH}","id":"w-1","time":"t","kind":"journal","part":2}`;
    expect(partHeader(header)).toEqual({ id: 'w-1', time: 't', kind: 'journal', part: 2 });
    expect(partHeader(`x${header}`)).toBeUndefined();
    expect(partHeader(header.replace('"journal"', '"call"'))).toBeUndefined();
    expect(partHeader(header.slice(0, -1))).toBeUndefined();
  });
});

describe('the record of a line', () => {
  it('has everything but the hash, which belongs to the line', () => {
    const line = `{"prev":"${HASH}","id":"w-1","kind":"call","ms":1}`;
    expect(recordOf(line)).toEqual({ id: 'w-1', kind: 'call', ms: 1 });
  });

  it.each(['', 'hello', 'null', '[]', '{"id":"w-1"}', '{"kind":"call"}', '{"id":1,"kind":"call"}'])(
    'does not exist in %j',
    (line) => {
      expect(recordOf(line)).toBeUndefined();
    },
  );
});
