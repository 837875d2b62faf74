import { describe, expect, it } from 'vitest';

import { adapterWith } from '../../../../test/adapters/adapters.js';
import { callOf, deskFor, envelopeIn } from '../../../../test/adapters/desk.js';
import { answerJson, startTarget } from '../../../../test/adapters/target.js';
import { suggestOperations } from '../introspect/suggest-operations.js';
import { createAdapterSource } from '../source/adapter-source.js';

const DROPLETS = {
  read: [
    {
      name: 'droplets_get',
      maps_to: 'GET /droplets/{droplet_id}',
      params: { droplet_id: { type: 'integer', required: true } },
    },
    { name: 'droplets_list', maps_to: 'GET /droplets' },
    { name: 'images_list', maps_to: 'GET /images' },
  ],
};

async function droplets(answer: unknown = { id: 1, name: 'a' }) {
  const target = await startTarget((_, response) => answerJson(response, answer));
  const adapter = adapterWith({ operations: DROPLETS });
  return deskFor(createAdapterSource(adapter, { env: {}, baseUrl: target.origin }));
}

describe('an answer with advice', () => {
  it('A14: suggests operations by their words, in any order', async () => {
    const { error } = await (await droplets()).ask('read', { operation: 'list_droplets' });
    expect(error?.details['available']).toEqual(['droplets_list']);
    expect(error?.message).toContain("Did you mean 'droplets_list'?");
    expect(error?.message).toContain('"search"');
    const many = Array.from({ length: 20 }, (_, i) => `ships_list_${i}`);
    expect(suggestOperations('list_ships_9', many)).toHaveLength(5);
    expect(suggestOperations('list_ships_9', many)[0]).toBe('ships_list_9');
  });

  it('A15: names the unknown key that was sent instead of a missing parameter', async () => {
    const params = { dropletId: 1 };
    const { error } = await (await droplets()).ask('read', { operation: 'droplets_get', params });
    expect(error).toMatchObject({
      code: 'VALIDATION_MISSING_PARAM',
      details: { param_name: 'droplet_id', unknown_params: ['dropletId'] },
    });
    expect(error?.message).toContain("'dropletId'");
  });

  it.each([
    [['nothing'], 'It has id, name.'],
    ['minimal', "no preset 'minimal'"],
  ])('A15: warns about fields %j that match nothing', async (fields, words) => {
    const params = { droplet_id: 1, fields };
    const answer = await (await droplets()).ask('read', { operation: 'droplets_get', params });
    expect(answer.success).toBe(true);
    expect(answer.warnings).toEqual([
      { code: 'FIELDS_UNKNOWN_WARNING', message: expect.stringContaining(words) },
    ]);
  });

  it('A15: has no warning if fields match or if a list is empty', async () => {
    const params = { droplet_id: 1, fields: ['id'] };
    expect(await (await droplets()).ask('read', { operation: 'droplets_get', params })).toEqual({
      success: true,
      data: { id: 1 },
    });
    const none = await droplets([]);
    const answer = await none.ask('read', {
      operation: 'droplets_list',
      params: { fields: ['id'] },
    });
    expect(answer.warnings).toBeUndefined();
  });

  it('A11: names tools as this client sees them', async () => {
    const source = createAdapterSource(adapterWith());
    const ask = async (operation: string, params: object) => {
      const args = JSON.stringify({ operation, params });
      const call = callOf(`{"name":"mail__apple_mail_mcpaql_read","arguments":${args}}`);
      return envelopeIn(await source.route('tool', 'apple_mail_mcpaql_read')!.send(call));
    };
    const wrong = await ask('delete_letter', {});
    expect(wrong.error?.details['expected_tool']).toBe('mail__apple_mail_mcpaql_delete');
    expect(wrong.error?.message).toContain("'mail__apple_mail_mcpaql_delete'");
    expect(await ask('introspect', { name: 'delete_letter' })).toMatchObject({
      data: { operation: { mcpTool: 'mail__apple_mail_mcpaql_delete' } },
    });
  });

  it('A5: a description has at most 1,024 characters, and starts with how to learn more', () => {
    const read = Array.from({ length: 900 }, (_, i) => ({
      name: `ships_of_fleet_${i}_list`,
      maps_to: 'GET /x',
    }));
    const create = [{ name: 'create_ship', maps_to: 'POST /x' }];
    const desk = deskFor(createAdapterSource(adapterWith({ operations: { read, create } })));
    const texts = desk.list().map(({ description }) => String(description));
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(1024);
      expect(text.indexOf('introspect')).toBeLessThan(120);
    }
    expect(texts[1]).toMatch(/and \d+ more; search for them$/);
    expect(texts[1]!.length).toBeGreaterThan(900);
    expect(texts[0]).toContain('create_ship');
  });
});
