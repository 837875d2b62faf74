/**
 * Every risk under every decision, in both eras, with clients that can ask and clients that cannot.
 */

import { describe, expect, it } from 'vitest';

import type { Era } from '@callsign/core';

import { shows } from '../../../../test/requirements/shows.js';
import { DECISIONS } from './policy-settings.js';
import { Governed, LABELS } from './testing/governed.js';
import { choosing, type Outcome, type User } from './testing/test-client.js';

const ERAS: readonly Era[] = ['session', 'stateless'];
const RISKS = [...LABELS.keys()];

const USERS: Readonly<Record<string, User>> = {
  'says yes': choosing('Yes, this once'),
  'says no': choosing('No'),
  declines: () => ({ action: 'decline' }),
  dismisses: () => ({ action: 'cancel' }),
  'sends a form without an answer': () => ({ action: 'accept', content: {} }),
  'sends an answer that was not offered': () => ({ action: 'accept', content: { answer: 'yes' } }),
  'sends something that is no answer': () => ({ action: 'accept', content: { answer: true } }),
  'sends a form of another shape': () => ({ action: 'accept', content: null }),
  'sends no action': () => ({ content: { answer: 'Yes, this once' } }),
};

/** Clients, and whether each can ask its user. */
const ABILITIES: Readonly<Record<string, { capabilities: object; asks: boolean }>> = {
  'that shows forms': { capabilities: { elicitation: { form: {} } }, asks: true },
  'that shows forms without saying so': { capabilities: { elicitation: {} }, asks: true },
  'that only opens pages': { capabilities: { elicitation: { url: {} } }, asks: false },
  'that cannot ask': { capabilities: {}, asks: false },
};

const textOf = ({ result, error }: Outcome): string =>
  error?.message ?? result?.content?.[0]?.text ?? '';

describe.each(ERAS)('in the %s era', (era) => {
  describe.each(Object.entries(ABILITIES))('a client %s', (_, { capabilities, asks }) => {
    it.each(RISKS.flatMap((risk) => DECISIONS.map((decision) => [risk, decision] as const)))(
      'that calls a %s tool under "%s" gets the decision of the policy',
      async (risk, decision) => {
        const governed = new Governed({ policy: { [risk]: decision } });
        const client = governed.connect(era, {
          capabilities: capabilities as never,
          user: choosing('Yes, this once'),
        });
        const outcome = await client.call(`s:${risk}`, { path: '/a' });
        const isDone = decision === 'allow' || (decision === 'confirm' && asks);
        expect(governed.server.calls.length).toBe(isDone ? 1 : 0);
        expect(client.shown.length).toBe(decision === 'confirm' && asks ? 1 : 0);
        expect(textOf(outcome)).toContain(
          {
            allow: 'done',
            confirm: asks ? 'done' : `s:${risk} was not approved: this client cannot ask its user`,
            'dry-run': `Dry run: s:${risk} was not called`,
            deny: `The policy does not allow s:${risk}: policy.${risk} is "deny"`,
          }[decision],
        );
      },
    );
  });

  it.each(Object.entries(USERS))('a user who %s decides alone', async (word, user) => {
    const governed = new Governed({ policy: { destructive: 'confirm' } });
    const outcome = await governed.connect(era, { user }).call('s:destructive');
    expect(governed.server.calls.length).toBe(word === 'says yes' ? 1 : 0);
    expect(textOf(outcome)).toContain(word === 'says yes' ? 'done' : 'was not approved');
  });

  it(
    'a destructive call waits for its approval, and a read passes without',
    shows('ANN-30', async () => {
      const governed = new Governed({ policy: {} });
      const client = governed.connect(era, { user: () => undefined });
      expect(textOf(await client.call('s:read'))).toBe('done');
      expect(client.shown).toEqual([]);
      const asked = client.asked();
      void client.call('s:destructive');
      await asked;
      expect(governed.server.calls.map(({ name }) => name)).toEqual(['s:read']);
    }),
  );

  it(
    'the policy also applies to a client that ignores hints',
    shows('ANN-31', async () => {
      // It never asks for the list, so it knows no hints, and it cannot ask its user.
      const governed = new Governed({ policy: { write: 'deny', destructive: 'confirm' } });
      const client = governed.connect(era, { capabilities: {} });
      expect(textOf(await client.call('s:write'))).toContain('policy.write is "deny"');
      expect(textOf(await client.call('s:destructive'))).toContain('cannot ask its user');
      expect(governed.server.calls).toEqual([]);
    }),
  );
});
