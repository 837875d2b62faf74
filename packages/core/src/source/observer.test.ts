import { describe, expect, it } from 'vitest';

import { labelledHub } from '../../../../test/testing/labelled-hub.js';
import { CallsignError } from '../call/callsign-error.js';
import type { Interceptor } from './interceptor.js';
import { observe, type EndedCall, type Observer } from './observer.js';

function watched(...inner: Interceptor[]) {
  const heard: string[] = [];
  const observer = (name: string): Observer => ({
    begin: (call) => heard.push(`${name} begins ${call.target!.canonical}`),
    end: ({ call, outcome, ms, size }) =>
      heard.push(`${name} ends ${call.target!.canonical} ${outcome} ${size > 0} ${ms >= 0}`),
  });
  const silent: Observer = { end: () => undefined };
  const interceptors = [
    observe([observer('a'), silent, observer('b')], () => performance.now()),
    ...inner,
  ];
  return { heard, ...labelledHub({ interceptors }) };
}

describe('an observer of calls', () => {
  it('is told of each call and how it ended', async () => {
    const { heard, call } = watched();
    await call('read_file');
    expect(heard).toEqual([
      'a begins fs:read_file',
      'b begins fs:read_file',
      'a ends fs:read_file ok true true',
      'b ends fs:read_file ok true true',
    ]);
  });

  it('is told of refusals by later interceptors, as the caller is', async () => {
    const refuse: Interceptor = () => Promise.reject(new CallsignError('call-cancelled'));
    const { heard, call } = watched(refuse);
    await expect(call('read_file')).rejects.toThrow(CallsignError);
    expect(heard.at(-1)).toBe('b ends fs:read_file call-cancelled false true');
  });

  it('is told when a call began, how long it took, and the size of its reply', async () => {
    const ended: EndedCall[] = [];
    const times = [100, 130];
    const watch = observe([{ end: (each) => ended.push(each) }], () => times.shift()!);
    const { call } = labelledHub({
      interceptors: [watch],
      answer: () => ({ ok: true, json: '{"isError":true}' }),
    });
    await call('read_file');
    expect(ended).toEqual([
      expect.objectContaining({ outcome: 'tool-error', startedAt: 100, ms: 30, size: 16 }),
    ]);
  });

  it('is told of a call without an answer, which has no size', async () => {
    const ended: EndedCall[] = [];
    const watch = observe([{ end: (each) => ended.push(each) }], () => 0);
    const failure = Promise.reject(new Error('a bug'));
    const { call } = labelledHub({ interceptors: [watch, () => failure] });
    await expect(call('read_file')).rejects.toThrow('a bug');
    expect(ended).toEqual([expect.objectContaining({ outcome: 'internal-error', size: 0 })]);
  });
});
