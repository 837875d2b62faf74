import { POLICY_SETTINGS, type PolicySettings } from '@callsign/governance';
import { describe, expect, it } from 'vitest';

import { labelledHub } from '../../../../test/testing/labelled-hub.js';
import type { RecordedCall } from '../data/admin-data.js';
import { replayCalls } from './policy-replay.js';

const { hub } = labelledHub({ interceptors: [] });

function recorded(tool: string, parts: Partial<RecordedCall> = {}): RecordedCall {
  return {
    id: '1',
    time: '2026-11-15T00:00:00Z',
    server: 'fs',
    tool,
    name: tool,
    risk: null,
    evidence: null,
    decision: null,
    rule: null,
    decisions: [],
    outcome: 'ok',
    caller: null,
    client: 'c',
    ms: 1,
    sizeIn: 1,
    sizeOut: 1,
    arguments: null,
    ...parts,
  };
}

const policy = (written: object): PolicySettings => POLICY_SETTINGS.parse(written);

describe('a replay of recorded calls', () => {
  it('counts calls that would be decided differently, by tool', () => {
    const calls = [
      recorded('fs:delete_file'),
      recorded('fs:delete_file'),
      recorded('fs:read_file'),
      recorded('fs:delete_file', { decision: 'deny' }),
    ];
    expect(replayCalls({ hub }, calls, policy({ destructive: 'deny' }))).toEqual({
      calls: 4,
      same: 2,
      unknown: 0,
      changes: [{ tool: 'fs:delete_file', before: 'allow', after: 'deny', calls: 2 }],
    });
  });

  it('does not judge tools that are gone, nor arguments that were not kept as they were', () => {
    const rules = [{ when: 'args.path == "/etc"', decision: 'deny' }];
    const calls = [
      recorded('fs:gone'),
      recorded('fs:read_file'),
      recorded('fs:read_file', { arguments: '{"path":"[redacted]"}' }),
      recorded('fs:read_file', { arguments: '{"path":"/etc"}' }),
      recorded('fs:read_file', { arguments: '{"path":"/tmp"}' }),
    ];
    expect(replayCalls({ hub }, calls, policy({ rules }))).toEqual({
      calls: 5,
      same: 1,
      unknown: 3,
      changes: [{ tool: 'fs:read_file', before: 'allow', after: 'deny', calls: 1 }],
    });
  });

  it('without a policy allows every call', () => {
    const calls = [recorded('fs:delete_file', { decision: 'confirm' })];
    expect(replayCalls({ hub }, calls, undefined)).toMatchObject({
      changes: [{ before: 'confirm', after: 'allow' }],
    });
  });
});
