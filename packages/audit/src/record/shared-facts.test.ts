import type { Caller } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { SharedFacts } from './shared-facts.js';
import { callOf, CALLER, labelledHub } from '../../../../test/testing/labelled-hub.js';

const TOOLS = labelledHub({ interceptors: [] }).hub.entries('tool');
const READ = TOOLS.get('fs:read_file')!;
const WRITE = TOOLS.get('fs:write_file')!;

describe('what calls have in common', () => {
  it('is one object for calls that differ in arguments alone', () => {
    const facts = new SharedFacts(false);
    const one = facts.of(callOf('x', { a: 1 }), READ, 'ok');
    expect(facts.of(callOf('x', { a: 2 }), READ, 'ok')).toBe(one);
  });

  it('is another one for calls that differ in anything that it says', () => {
    const facts = new SharedFacts(false);
    const judged = (decision: 'allow' | 'confirm', rule: string) => {
      const call = callOf('x');
      call.context.verdict = { decision, rule };
      return call;
    };
    const repeated = callOf('x');
    repeated.context.retries = 1;
    const all = [
      facts.of(callOf('x'), READ, 'ok'),
      facts.of(callOf('x'), WRITE, 'ok'),
      facts.of(callOf('y'), READ, 'ok'),
      facts.of(callOf('x'), READ, 'tool-error'),
      facts.of(callOf('x'), READ, undefined),
      facts.of(repeated, READ, 'ok'),
      facts.of(judged('allow', 'a'), READ, 'ok'),
      facts.of(judged('confirm', 'a'), READ, 'ok'),
      facts.of(judged('allow', 'b'), READ, 'ok'),
      facts.of(callOf('x', {}, { ...CALLER, id: 'session-2' }), READ, 'ok'),
      facts.of(callOf('x', {}, { ...CALLER, client: { name: 'z', version: '1' } }), READ, 'ok'),
      facts.of(callOf('x', {}, { ...CALLER, principal: { name: 'p', roles: [] } }), READ, 'ok'),
    ];
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
    expect(facts.of(judged('allow', 'a'), READ, 'ok')).toBe(all[6]);
  });

  it('shows no secret of a resource’s address', () => {
    const uri = 'https://me:hunter2@x.example/a?token=hunter2&page=2';
    const target = { ...READ, canonical: `fs:${uri}` };
    const { text } = new SharedFacts(false).of(callOf(uri), target, 'ok');
    expect(text).toContain('https://[redacted]@x.example/a?token=[redacted]&page=2');
    expect(text).not.toContain('hunter2');
  });

  it('holds for a session however many others there are', () => {
    const facts = new SharedFacts(false);
    const callers = Array.from({ length: 200 }, (_, i): Caller => ({ ...CALLER, id: `s-${i}` }));
    const round = () => callers.map((caller) => facts.of(callOf('x', {}, caller), READ, 'ok'));
    const first = round();
    expect(round().every((shared, i) => shared === first[i])).toBe(true);
  });

  it('holds for requests without a session, each of which is a caller of its own', () => {
    const facts = new SharedFacts(false);
    const request = (id: string, name = 'c') => {
      return callOf('x', {}, { ...CALLER, era: 'stateless', id, client: { name, version: '1' } });
    };
    const one = facts.of(request('1'), READ, 'ok');
    expect(facts.of(request('2'), READ, 'ok')).toBe(one);
    expect(facts.of(request('3', 'other'), READ, 'ok')).not.toBe(one);
  });

  it('does not grow without end', () => {
    const facts = new SharedFacts(false);
    const first = facts.of(callOf('0'), READ, 'ok');
    for (let i = 1; i <= 100; i++) facts.of(callOf(`${i}`), READ, 'ok');
    const again = facts.of(callOf('0'), READ, 'ok');
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});
