import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import {
  type Endpoint,
  endpointHints,
  ENDPOINTS,
  PRESET_ENDPOINTS,
  type UpdateOptions,
} from './endpoints.js';
import { HINTS, type HintSet } from './hints.js';
import { type PresetName, PRESETS } from './presets.js';

const native = (endpoint: Endpoint) => endpointHints(endpoint, { openWorld: false });

describe('the hints of an endpoint', () => {
  it(
    'call READ read-only',
    shows('AQL-27', () => expect(native('read').readOnlyHint).toBe(true)),
  );

  it(
    'call no other endpoint read-only',
    shows('AQL-28', () => {
      const others = ENDPOINTS.filter((endpoint) => endpoint !== 'read');
      expect(others.map((endpoint) => native(endpoint).readOnlyHint)).toEqual(
        others.map(() => false),
      );
    }),
  );

  it(
    'call DELETE destructive',
    shows('AQL-29', () => expect(native('delete').destructiveHint).toBe(true)),
  );

  it(
    'call EXECUTE destructive',
    shows('AQL-30', () => expect(native('execute').destructiveHint).toBe(true)),
  );

  it(
    'call CREATE and READ not destructive',
    shows('AQL-31', () => {
      expect(native('create').destructiveHint).toBe(false);
      expect(native('read').destructiveHint).toBe(false);
    }),
  );

  it(
    'call UPDATE not destructive while no operation is declared destructive',
    shows('AQL-32', () => {
      expect(native('update').destructiveHint).toBe(false);
      const hints = endpointHints('update', { openWorld: false, destructive: false });
      expect(hints.destructiveHint).toBe(false);
    }),
  );

  it(
    'call UPDATE destructive as soon as one operation is declared destructive',
    shows('AQL-33', () => {
      const hints = endpointHints('update', { openWorld: false, destructive: true });
      expect(hints.destructiveHint).toBe(true);
    }),
  );

  it(
    'call READ idempotent',
    shows('AQL-34', () => expect(native('read').idempotentHint).toBe(true)),
  );

  it(
    'call CREATE not idempotent',
    shows('AQL-35', () => expect(native('create').idempotentHint).toBe(false)),
  );

  it(
    'call EXECUTE not idempotent',
    shows('AQL-36', () => expect(native('execute').idempotentHint).toBe(false)),
  );

  it('call DELETE not idempotent, and UPDATE only if every operation is', () => {
    expect(native('delete').idempotentHint).toBe(false);
    expect(native('update').idempotentHint).toBe(false);
    expect(endpointHints('update', { openWorld: true, idempotent: true }).idempotentHint).toBe(
      true,
    );
  });

  it(
    'call every endpoint over HTTP open-world',
    shows('AQL-37', () => {
      const hints = ENDPOINTS.map((endpoint) => endpointHints(endpoint, { openWorld: true }));
      expect(hints.every(({ openWorldHint }) => openWorldHint)).toBe(true);
    }),
  );

  it(
    'call no endpoint of a native adapter open-world',
    shows('AQL-38', () => {
      expect(ENDPOINTS.some((endpoint) => native(endpoint).openWorldHint)).toBe(false);
    }),
  );

  it('state all four hints', () => {
    for (const endpoint of ENDPOINTS) {
      expect(Object.keys(native(endpoint)).toSorted()).toEqual([...HINTS].toSorted());
    }
  });

  it('let only UPDATE choose whether it is idempotent and destructive', () => {
    const options: UpdateOptions = { openWorld: false, idempotent: true, destructive: true };
    for (const endpoint of ENDPOINTS.filter((each) => each !== 'update')) {
      // @ts-expect-error the table fixes both for these endpoints
      expect(endpointHints(endpoint, options)).toEqual(native(endpoint));
    }
  });
});

describe('presets and endpoints', () => {
  const presets = Object.entries(PRESETS) as [PresetName, HintSet][];

  it.each(presets)(
    'are two views of one table: %s comes back from its endpoint',
    (name, preset) => {
      const endpoint = PRESET_ENDPOINTS[name];
      const hints =
        endpoint === 'update'
          ? endpointHints(endpoint, {
              openWorld: preset.openWorldHint,
              idempotent: preset.idempotentHint,
            })
          : endpointHints(endpoint, { openWorld: preset.openWorldHint });
      expect(hints).toEqual(preset);
    },
  );

  it('cover each other: every endpoint has a preset', () => {
    expect(new Set(Object.values(PRESET_ENDPOINTS))).toEqual(new Set(ENDPOINTS));
  });
});
