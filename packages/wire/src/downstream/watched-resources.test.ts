import { fakeCall } from '@callsign/core/testing';
import { expect, it } from 'vitest';

import { ResourceWatch } from './served-source.js';
import { MAX_WATCHED, WatchedResources } from './watched-resources.js';

const OK = { ok: true, json: '{}' };
const subscribe = (uri: string) => fakeCall(JSON.stringify({ uri }), 'resources/subscribe');
const unsubscribe = (uri: string) => fakeCall(JSON.stringify({ uri }), 'resources/unsubscribe');

it('a subscription counts before its server has answered, so that no other client ends it', () => {
  const watch = new ResourceWatch();
  const [ann, bob] = [new WatchedResources(watch), new WatchedResources(watch)];
  expect(ann.begin(subscribe('x'))).toBeUndefined();
  ann.ended(subscribe('x'), true);
  expect(bob.begin(subscribe('x'))).toBeUndefined();
  expect(ann.begin(unsubscribe('x'))).toEqual(OK);
  ann.ended(unsubscribe('x'), true);
  bob.ended(subscribe('x'), true);
  expect([ann.has('x'), bob.has('x')]).toEqual([false, true]);
  expect(bob.begin(unsubscribe('x'))).toBeUndefined();
});

it('a subscription that fails does not count, and an earlier one stays', () => {
  const watched = new WatchedResources(new ResourceWatch());
  watched.begin(subscribe('x'));
  watched.ended(subscribe('x'), false);
  expect(watched.has('x')).toBe(false);
  for (const isOk of [true, false]) {
    watched.begin(subscribe('x'));
    watched.ended(subscribe('x'), isOk);
    expect(watched.has('x')).toBe(true);
  }
});

it('has a limit that requests at the same time cannot exceed', () => {
  const watched = new WatchedResources(new ResourceWatch());
  for (let i = 0; i < MAX_WATCHED; i++) expect(watched.begin(subscribe(`x${i}`))).toBeUndefined();
  expect(watched.begin(subscribe('one more'))).toMatchObject({ ok: false });
  expect(watched.begin(subscribe('x0'))).toBeUndefined();
});
