import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { HINTS, type HintSet } from './hints.js';
import * as listener from '../index.js';
import { PRESETS } from './presets.js';

const values = (hints: HintSet) => HINTS.map((hint) => hints[hint]);

describe('the presets', () => {
  it(
    'state all four hints, each by its own name',
    shows('LDP-13', () => {
      for (const preset of Object.values(PRESETS)) {
        expect(Object.keys(preset).toSorted()).toEqual([...HINTS].toSorted());
        expect(values(preset).every((value) => typeof value === 'boolean')).toBe(true);
      }
    }),
  );

  it('are exported under the names of their table', () => {
    for (const [name, preset] of Object.entries(PRESETS)) {
      expect(listener).toHaveProperty(name, preset);
    }
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(PRESETS)).toBe(true);
    expect(Object.values(PRESETS).every((preset) => Object.isFrozen(preset))).toBe(true);
  });
});

describe('the hints of a tool, in the order read-only, destructive, idempotent, open-world', () => {
  const [T, F] = [true, false];

  it(
    'of a file or database read',
    shows('ANN-20', () => expect(values(PRESETS.READ_ONLY_DEFAULT)).toEqual([T, F, T, F])),
  );
  it(
    'of a search or list',
    shows('ANN-21', () => expect(values(PRESETS.READ_ONLY_DEFAULT)).toEqual([T, F, T, F])),
  );
  it(
    'of a GET to an external API',
    shows('ANN-22', () => expect(values(PRESETS.READ_ONLY_OPEN_WORLD)).toEqual([T, F, T, T])),
  );
  it(
    'of an upsert',
    shows('ANN-23', () => expect(values(PRESETS.WRITE_IDEMPOTENT)).toEqual([F, F, T, F])),
  );
  it(
    'of an append or create',
    shows('ANN-24', () => expect(values(PRESETS.WRITE_ADDITIVE)).toEqual([F, F, F, F])),
  );
  it(
    'of a delete or overwrite',
    shows('ANN-25', () => expect(values(PRESETS.WRITE_DESTRUCTIVE)).toEqual([F, T, F, F])),
  );
  it(
    'of sending a message',
    shows('ANN-26', () =>
      expect(values(PRESETS.WRITE_DESTRUCTIVE_OPEN_WORLD)).toEqual([F, T, F, T]),
    ),
  );
  it(
    'of triggering a deployment',
    shows('ANN-27', () =>
      expect(values(PRESETS.WRITE_DESTRUCTIVE_OPEN_WORLD)).toEqual([F, T, F, T]),
    ),
  );
});
