import { ENDPOINTS } from '@callsign/effects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { harbourAdapter, harbourDesk } from '../../../../test/adapters/harbour.js';

describe('any request', () => {
  it('gets an envelope, and nothing unintended reaches the target', async () => {
    const { desk, harbour } = await harbourDesk({ rateLimits: [] });
    const { operations } = await harbourAdapter();
    const names = fc.constantFrom(...operations.keys(), 'introspect', '__proto__', 'toString', '');
    const params = fc.dictionary(
      fc.constantFrom(
        'ship_id',
        'fields',
        'first',
        'after',
        'input',
        '_confirmation',
        'constructor',
        'x',
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const item = fc.record({ operation: names, params: fc.oneof(params, fc.jsonValue()) });
    const request = fc.oneof(
      item,
      fc.record({ operations: fc.array(fc.oneof(item, fc.jsonValue()), { maxLength: 4 }) }),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ENDPOINTS), request, async (endpoint, args) => {
        const answer = await desk.ask(endpoint, JSON.stringify(args));
        expect(typeof answer.success).toBe('boolean');
        expect('data' in answer).toBe(answer.success);
        if (!answer.success) expect(answer.error?.code).toMatch(/^[A-Z][A-Z0-9_]*$/);
        expect(answer.error?.code).not.toBe('INTERNAL_ERROR');
      }),
      { numRuns: 300 },
    );
    // No generated request has a valid token, so nothing can have been deleted.
    expect(harbour.requests.filter((request_) => request_.startsWith('DELETE'))).toEqual([]);
    for (const asked of harbour.requests) expect(asked).toMatch(/^[A-Z]+ \/api\/v1\/[a-z]/);
  });
});
