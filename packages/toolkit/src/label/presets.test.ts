import { PRESETS } from '@callsign/effects';
import { expect, it } from 'vitest';

import * as toolkit from '../index.js';

it('are all the objects of the annotations package', () => {
  expect(Object.entries(toolkit)).toEqual(expect.arrayContaining(Object.entries(PRESETS)));
  expect(toolkit.READ_ONLY_DEFAULT).toBe(PRESETS.READ_ONLY_DEFAULT);
});

it('have the values that their types say', () => {
  // Our types claim values that are defined elsewhere, so each value is written out again here.
  const read: { readOnlyHint: true; destructiveHint: false; openWorldHint: false } =
    toolkit.READ_ONLY_DEFAULT;
  const outside: { readOnlyHint: true; openWorldHint: true } = toolkit.READ_ONLY_OPEN_WORLD;
  const upsert: { readOnlyHint: false; destructiveHint: false; idempotentHint: true } =
    toolkit.WRITE_IDEMPOTENT;
  const add: { readOnlyHint: false; destructiveHint: false; idempotentHint: false } =
    toolkit.WRITE_ADDITIVE;
  const destroy: { destructiveHint: true; openWorldHint: false } = toolkit.WRITE_DESTRUCTIVE;
  const send: { destructiveHint: true; openWorldHint: true } = toolkit.WRITE_DESTRUCTIVE_OPEN_WORLD;
  expect([read, outside, upsert, add, destroy, send].map(hintsInOrder)).toEqual([
    [true, false, true, false],
    [true, false, true, true],
    [false, false, true, false],
    [false, false, false, false],
    [false, true, false, false],
    [false, true, false, true],
  ]);
});

function hintsInOrder(hints: object): unknown[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints as Record<
    string,
    unknown
  >;
  return [readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
}
