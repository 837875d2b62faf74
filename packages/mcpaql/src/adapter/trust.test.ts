import { describe, expect, it } from 'vitest';

import { assumedDanger, DANGER_LEVELS } from './danger.js';
import { trustNeededFor, verdictOn } from './trust.js';

describe('danger × trust', () => {
  it.each([
    ['untested', ['deny', 'deny', 'deny', 'deny', 'deny']],
    ['generated', ['allow', 'deny', 'deny', 'deny', 'deny']],
    ['validated', ['allow', 'allow', 'confirm', 'deny', 'deny']],
    ['community_reviewed', ['allow', 'allow', 'confirm', 'confirm', 'deny']],
    ['certified', ['allow', 'allow', 'confirm', 'confirm', 'confirm']],
  ] as const)('%s: %j', (trust, verdicts) => {
    expect(DANGER_LEVELS.map((danger) => verdictOn(danger, trust))).toEqual(verdicts);
  });

  it('returns the lowest sufficient trust', () => {
    expect(DANGER_LEVELS.map(trustNeededFor)).toEqual([
      'generated',
      'validated',
      'validated',
      'community_reviewed',
      'certified',
    ]);
  });
});

describe('the danger of an operation whose author states none', () => {
  it.each([
    ['list_ships', 'read', 'safe'],
    ['reset_view', 'read', 'safe'],
    ['create_ship', 'create', 'reversible'],
    ['update_ship', 'update', 'reversible'],
    ['run_pump', 'execute', 'reversible'],
    ['delete_ship', 'delete', 'destructive'],
    ['force_close', 'update', 'dangerous'],
    ['bulk_delete_ships', 'delete', 'dangerous'],
    ['remove_permanently', 'delete', 'dangerous'],
    ['purge_log', 'delete', 'dangerous'],
    ['drop_table', 'delete', 'forbidden'],
    ['delete_all_ships', 'delete', 'forbidden'],
    ['force_reset_production', 'execute', 'forbidden'],
  ] as const)('%s of %s is %s', (name, endpoint, level) => {
    expect(assumedDanger(name, endpoint)).toBe(level);
  });
});
