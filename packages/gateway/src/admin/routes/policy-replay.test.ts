import { POLICY_SETTINGS, type PolicySettings } from '@callsign/governance';
import { describe, expect, it } from 'vitest';

import { labelledHub } from '../../../../../test/testing/labelled-hub.js';
import type { RecordedCall } from '../data/admin-data.js';
import { replayCalls } from './policy-replay.js';

const { hub } = labelledHub({ interceptors: [] });
const known = { hub, roles: new Map([['ci', ['robot']]]) };

function recorded(tool: string, parts: Partial<RecordedCall> = {}): RecordedCall {
  return {
    kind: 'call',
    id: '1',
    time: '2026-11-15T00:00:00Z',
    severity: 'info',
    method: 'tools/call',
    era: '2025-11-25',
    server: 'fs',
    tool,
    name: tool,
    risk: null,
    evidence: null,
    because: null,
    decision: null,
    rule: null,
    decisions: [],
    outcome: 'ok',
    caller: null,
    client: 'c',
    clientVersion: '1',
    session: 's',
    ms: 1,
    waitedMs: null,
    retries: 0,
    sizeIn: 1,
    sizeOut: 1,
    fingerprint: null,
    arguments: null,
    announced: false,
    script: null,
    account: null,
    ...parts,
  };
}

const policy = (written: object): PolicySettings => POLICY_SETTINGS.parse(written);

describe('a replay of recorded calls', () => {
  it('counts calls that would be decided differently, by tool', async () => {
    const calls = [
      recorded('fs:delete_file'),
      recorded('fs:delete_file'),
      recorded('fs:read_file'),
      recorded('fs:delete_file', { decision: 'deny' }),
    ];
    expect(await replayCalls(known, calls, policy({ destructive: 'deny' }))).toEqual({
      calls: 4,
      same: 2,
      unknown: [],
      changes: [{ tool: 'fs:delete_file', before: 'allow', after: 'deny', calls: 2 }],
    });
  });

  it('does not judge tools that are gone, or arguments that were not recorded in full', async () => {
    const rules = [{ when: 'args.path == "/etc"', decision: 'deny' }];
    const calls = [
      recorded('fs:gone'),
      recorded('fs:read_file'),
      recorded('fs:read_file', { arguments: '{"path":"[redacted]"}' }),
      recorded('fs:read_file', { arguments: '{"path":"/etc"}' }),
      recorded('fs:read_file', { arguments: '{"path":"/tmp"}' }),
    ];
    expect(await replayCalls(known, calls, policy({ rules }))).toEqual({
      calls: 5,
      same: 1,
      unknown: [
        { reason: 'the tool does not exist now', calls: 1 },
        { reason: 'a rule reads arguments, and they were not recorded', calls: 1 },
        {
          reason: 'a rule reads arguments, and parts of them were not recorded',
          calls: 1,
        },
      ],
      changes: [{ tool: 'fs:read_file', before: 'allow', after: 'deny', calls: 1 }],
    });
  });

  it('judges by roles only where the configuration has them', async () => {
    const rules = [{ when: '"robot" in caller.roles', decision: 'deny' }];
    const calls = [
      recorded('fs:read_file', { caller: 'ci' }),
      recorded('fs:read_file', { caller: 'person@example' }),
      recorded('fs:read_file'),
    ];
    const reason =
      'a rule reads the caller, and the roles of this caller are not in the configuration';
    expect(await replayCalls(known, calls, policy({ rules }))).toMatchObject({
      same: 1,
      unknown: [{ reason, calls: 1 }],
      changes: [{ tool: 'fs:read_file', after: 'deny', calls: 1 }],
    });
  });

  it('without a policy allows every call', async () => {
    const calls = [recorded('fs:delete_file', { decision: 'confirm' })];
    expect(await replayCalls(known, calls, undefined)).toMatchObject({
      changes: [{ before: 'confirm', after: 'allow' }],
    });
  });
});
