import { describe, expect, it } from 'vitest';

import { callRecord } from '../../../../test/contracts/audit-store.js';
import type { AuditRecord } from '../record/audit-record.js';
import { CSV_HEAD, toCsvLine } from './audit-export.js';

describe('an export for spreadsheets', () => {
  it('has columns that programs rely on', () => {
    expect(CSV_HEAD).toBe(
      'id,time,kind,severity,server,tool,name,method,risk,evidence,caller,client,clientVersion,session,' +
        'decision,rule,outcome,ms,retries,sizeIn,sizeOut,fingerprint,arguments,intent,journal,reason,count,script,account,waitedMs',
    );
  });

  it('has the values of a call in their columns', () => {
    const record = callRecord(1, {
      caller: 'ada',
      decision: 'allow',
      rule: 'all',
      arguments: { a: [1, 2] },
      intent: 'writerab-0',
      script: 'pX3hT0aZkQ2v',
      account: 'key:ann',
      waitedMs: 4,
    });
    expect(toCsvLine(record)).toBe(
      'writerab-1,2026-11-15T09:00:01.000Z,call,info,fs,fs:read_file,fs__read_file,tools/call,read,server,' +
        'ada,test,1,s,allow,all,ok,10,0,2,20,sha256:00,"{""a"":[1,2]}",writerab-0,,,,pX3hT0aZkQ2v,key:ann,4',
    );
  });

  it('has the values of an event in their columns', () => {
    const event: AuditRecord = {
      kind: 'gap',
      id: 'w-1',
      time: 't',
      severity: 'error',
      journal: 'j-w',
      reason: 'the disk is full',
      count: 3,
    };
    expect(toCsvLine(event)).toBe(`w-1,t,gap,error${','.repeat(21)}j-w,the disk is full,3,,,`);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['＝1', "'＝1"],
    ['＠x', "'＠x"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['a=1', 'a=1'],
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['a\nb', '"a\nb"'],
  ])('writes the name %j as %j, so that it is no formula and one cell', (name, cell) => {
    expect(toCsvLine(callRecord(1, { name }))).toContain(`,fs:read_file,${cell},tools/call,`);
  });

  it('leaves numbers as they are, including negative ones', () => {
    expect(toCsvLine(callRecord(1, { ms: -1 }))).toContain(',ok,-1,0,');
  });
});
