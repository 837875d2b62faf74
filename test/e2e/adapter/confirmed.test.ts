/** A deletion of an adapter behind a policy that asks: one yes, one deletion. */

import { describe, expect, it } from 'vitest';

import { startGateway } from '../gateway-process.js';
import { openHarbour, served } from './harbour.js';

interface Answer {
  readonly success: boolean;
  readonly data?: { readonly id?: string };
  readonly error?: { readonly code: string };
}

/** A client of a gateway with the harbour, and what its user is asked. */
async function atHarbour(policy: object, answer: string) {
  const harbour = await openHarbour();
  const gateway = await startGateway({
    servers: { harbour: served(harbour) },
    settings: { policy },
  });
  const client = await gateway.connect({ capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.on('elicitation/create', ({ message }) => {
    asked.push(String(message));
    return { action: 'accept', content: { answer } };
  });
  await client.tools();
  const ask = async (endpoint: string, operation: string, params: object): Promise<Answer> => {
    const name = `harbour:harbour_logbook_mcpaql_${endpoint}`;
    const { result } = await client.call(name, { operation, params });
    const [block] = (result as { content: [{ text: string }] }).content;
    return JSON.parse(block.text) as Answer;
  };
  const booked = async (berth_id: string): Promise<string> => {
    const params = { berth_id, ship_id: 'ship-5', arrives: '2026-06-01T08:00:00Z' };
    return (await ask('create', 'create_booking', params)).data!.id!;
  };
  const deletions = () => harbour.requests.filter((request) => request.startsWith('DELETE'));
  return { ask, booked, asked, deletions };
}

describe('a deletion of an adapter', () => {
  it('is made after one yes of the user, with the token of the adapter (S13)', async () => {
    const { ask, booked, asked, deletions } = await atHarbour(
      { destructive: 'confirm' },
      'Yes, this once',
    );
    const booking_id = await booked('b2');
    const { success } = await ask('delete', 'delete_booking', { booking_id });
    expect(success).toBe(true);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(booking_id);
    expect(deletions()).toEqual([`DELETE /api/v1/bookings/${booking_id}`]);
  });

  it('is not made for a user who refuses', async () => {
    const { ask, booked, asked, deletions } = await atHarbour({ destructive: 'confirm' }, 'No');
    const booking_id = await booked('b2');
    await expect(ask('delete', 'delete_booking', { booking_id })).rejects.toThrow();
    expect(asked).toHaveLength(1);
    expect(deletions()).toEqual([]);
  });

  it('needs the token of the model where no person was asked', async () => {
    const { ask, booked, asked, deletions } = await atHarbour({ destructive: 'allow' }, 'No');
    const booking_id = await booked('b2');
    const { error } = await ask('delete', 'delete_booking', { booking_id });
    expect(error?.code).toBe('CONFIRMATION_REQUIRED');
    expect(asked).toEqual([]);
    expect(deletions()).toEqual([]);
  });
});
