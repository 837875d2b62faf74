import {
  type Call,
  type Caller,
  type Entry,
  memberText,
  type Reply,
  resultOf,
} from '@callsign/core';
import { fakeCall } from '@callsign/core/testing';
import { Approvals, POLICY_SETTINGS } from '@callsign/governance';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SYSTEM_CLOCK } from '../../modules/system-clock.js';
import { Scripts } from './scripts.js';

const LONG = 'x'.repeat(1_000_000);
const CALLER: Caller = {
  id: '1',
  era: 'session',
  client: { name: 'c', version: '1' },
  principal: undefined,
  capabilities: '{}',
  can: () => false,
};
const ENTRY = { canonical: 's:read', risk: 'read', item: { name: 'read', json: '{}' } };

function scriptsOver(send: (call: Call) => Promise<Reply>) {
  const scripts = new Scripts({
    settings: () => ({
      calls: 500,
      parallel: 8,
      computeMs: 60_000,
      memoryMb: 64,
      outputLength: 1_000,
      approvalMs: 1_000,
    }),
    policy: () => POLICY_SETTINGS.parse({}),
    approvals: new Approvals({ clock: SYSTEM_CLOCK }),
    clock: SYSTEM_CLOCK,
    tools: () => [{ ...ENTRY, route: { send } } as unknown as Entry],
    refuse: () => undefined,
    recorded: () => Promise.resolve(undefined),
  });
  onTestFinished(() => scripts.close());
  const start = (args: object, id?: string) => {
    const call = fakeCall(JSON.stringify({ name: 'callsign:run', arguments: args })).with({
      caller: CALLER,
    });
    call.context.runs = id;
    return { call, reply: scripts.ownTools[0].call(call) };
  };
  const told = async (reply: Promise<Reply>): Promise<string> => {
    const [{ text }] = JSON.parse(memberText((await reply).json, 'content')!) as [{ text: string }];
    return text;
  };
  return { start, told };
}

describe('scripts that were stopped', () => {
  it('go on later, and the oldest are forgotten if they keep too much', async () => {
    let [left, isOver] = [25, false];
    let onWait: () => void = () => undefined;
    const { start, told } = scriptsOver(async ({ context }) => {
      if (isOver || left-- > 0) return resultOf({ content: [{ type: 'text', text: LONG }] });
      onWait();
      return new Promise((_, reject) => {
        context.onCancel(() => reject(new Error('cancelled')));
      });
    });
    const code = 'let n = 0; for (; n < 26; n++) await tools.s.read(); return n';
    for (const id of ['one', 'two', 'three']) {
      left = 25;
      const waits = new Promise<void>((resolve) => {
        onWait = resolve;
      });
      const { call, reply } = start({ code, purpose: 'Read' }, id);
      await waits;
      call.context.cancel('no time');
      expect(await told(reply)).toContain('The caller cancelled the script.');
    }
    isOver = true;
    const resumed = (id: string) => told(start({ resume: id }).reply);
    // Each keeps 25 million characters, and all together 64.
    expect(await resumed('one')).toContain('There is no script one of yours');
    for (const id of ['two', 'three']) {
      const answer = await resumed(id);
      expect(JSON.parse(answer)).toMatchObject({ script: id, result: 26, reads: 26 });
      expect(await resumed(id)).toBe(answer);
    }
  });
});
