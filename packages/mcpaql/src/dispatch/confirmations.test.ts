import type { Caller } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { CALLER, type Desk } from '../../../../test/adapters/desk.js';
import { harbourAdapter, harbourDesk } from '../../../../test/adapters/harbour.js';
import { Confirmations } from './confirmations.js';

const remove = (booking_id: string, more: object = {}) => ({
  operation: 'delete_booking',
  params: { booking_id, ...more },
});

async function tokenFor(desk: Desk, booking: string, caller?: Caller): Promise<string> {
  const { error } = await desk.ask('delete', remove(booking), caller);
  expect(error?.code).toBe('CONFIRMATION_REQUIRED');
  return error!.details['confirmation_token'] as string;
}

describe('a destructive operation', () => {
  it('needs a confirmation first, and runs with the token', async () => {
    const { desk, harbour } = await harbourDesk();
    const { error } = await desk.ask('delete', remove('booking-1'));
    expect(error).toMatchObject({
      message: expect.stringContaining("Cancel booking 'booking-1'?"),
      details: {
        operation: 'delete_booking',
        danger_level: 'destructive',
        reasons: ['Releases the berth at once'],
        confirmation_message: "Cancel booking 'booking-1'?",
        confirmation_token: expect.stringMatching(/^conf_[\w-]{32}$/),
      },
    });
    expect(harbour.requests).toEqual([]);
    const token = error!.details['confirmation_token'];
    expect(await desk.ask('delete', remove('booking-1', { _confirmation: token }))).toEqual({
      success: true,
      data: null,
    });
    expect(harbour.requests).toEqual(['DELETE /api/v1/bookings/booking-1']);
  });

  it('accepts the token under its other name, and parameters in another order', async () => {
    const { desk } = await harbourDesk();
    const confirmation_token = await tokenFor(desk, 'booking-1');
    const args = {
      operation: 'delete_booking',
      params: { confirmation_token, booking_id: 'booking-1' },
    };
    expect(await desk.ask('delete', args)).toMatchObject({ success: true });
  });

  it.each<[string, string, (desk: Desk) => Promise<[object, Caller?]>]>([
    ['invented', 'TOKEN_INVALID', async () => [remove('booking-1', { _confirmation: 'conf_x' })]],
    ['no text', 'TOKEN_INVALID', async () => [remove('booking-1', { _confirmation: {} })]],
    [
      'meant for another thing',
      'TOKEN_SCOPE_MISMATCH',
      async (desk) => [remove('booking-2', { _confirmation: await tokenFor(desk, 'booking-1') })],
    ],
    [
      'given to somebody else',
      'TOKEN_SCOPE_MISMATCH',
      async (desk) => [
        remove('booking-1', { _confirmation: await tokenFor(desk, 'booking-1') }),
        { ...CALLER, id: 'another' },
      ],
    ],
    [
      'already used',
      'TOKEN_ALREADY_USED',
      async (desk) => {
        const token = await tokenFor(desk, 'booking-1');
        await desk.ask('delete', remove('booking-1', { _confirmation: token }));
        return [remove('booking-1', { _confirmation: token })];
      },
    ],
  ])('is refused with a token that is %s', async (_, code, prepare) => {
    const { desk, harbour } = await harbourDesk();
    const [args, caller] = await prepare(desk);
    const before = harbour.requests.length;
    expect((await desk.ask('delete', args, caller)).error?.code).toBe(code);
    expect(harbour.requests).toHaveLength(before);
  });

  it('is refused after the token has expired', async () => {
    let now = Date.UTC(2026, 0, 1);
    const { desk } = await harbourDesk({}, { now: () => now });
    const token = await tokenFor(desk, 'booking-1');
    now += 5 * 60_000;
    const { error } = await desk.ask('delete', remove('booking-1', { _confirmation: token }));
    expect(error?.code).toBe('TOKEN_EXPIRED');
  });

  it('works in the stateless era, where every request is a new caller', async () => {
    const { desk } = await harbourDesk();
    const stateless = (id: string): Caller => ({ ...CALLER, id, era: 'stateless' });
    const token = await tokenFor(desk, 'booking-1', stateless('first'));
    const args = remove('booking-1', { _confirmation: token });
    expect(await desk.ask('delete', args, stateless('second'))).toMatchObject({ success: true });
  });
});

describe('confirmation tokens', () => {
  it('are limited in number: the oldest is dropped', async () => {
    const operation = (await harbourAdapter()).operations.get('delete_booking')!;
    const confirmations = new Confirmations();
    const request = (booking: string) =>
      confirmations.request(operation, new Map([['booking_id', booking]]), 'me').details![
        'confirmation_token'
      ];
    const first = request('first');
    for (let i = 0; i < 1500; i++) request(`booking-${i}`);
    const last = request('last');
    const redeem = (token: unknown, booking: string) =>
      confirmations.redeem(token, operation, new Map([['booking_id', booking]]), 'me');
    expect(() => redeem(first, 'first')).toThrow('The token is unknown');
    expect(() => redeem(last, 'last')).not.toThrow();
  });

  it('do not show sensitive values', async () => {
    const operation = (await harbourAdapter()).operations.get('delete_booking')!;
    const secret = { name: 'booking_id', type: 'string', required: true, sensitive: true } as const;
    const refusal = new Confirmations().request(
      { ...operation, params: new Map([['booking_id', secret]]) },
      new Map([['booking_id', 'hidden-value']]),
      'me',
    );
    expect(JSON.stringify([refusal.message, refusal.details])).not.toContain('hidden-value');
  });
});

describe('an operation that asks for a confirmation', () => {
  it('needs one, even if it is harmless', async () => {
    const adapter = await harbourAdapter();
    const horn = { ...adapter.operations.get('sound_horn')!, requiresConfirmation: true };
    const { desk } = await harbourDesk({
      operations: new Map([...adapter.operations, ['sound_horn', horn]]),
    });
    const args = { operation: 'sound_horn', params: { ship_id: 'ship-1' } };
    expect((await desk.ask('execute', args)).error?.code).toBe('CONFIRMATION_REQUIRED');
  });
});
