/** Adapters written in the test itself. */

import { type Adapter, parseAdapter } from '@callsign/mcpaql';

/** A minimal adapter document; `changes` replace or add keys. */
export function documentOf(
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    name: 'apple-mail',
    type: 'adapter',
    version: '1.0.0',
    description: 'Letters of a mailbox',
    target: { transport: 'http', base_url: 'https://mail.example/api' },
    operations: {
      create: [{ name: 'create_draft', maps_to: 'POST /drafts' }],
      read: [{ name: 'list_letters', maps_to: 'GET /letters' }],
      update: [{ name: 'move_letter', maps_to: 'PUT /letters' }],
      delete: [{ name: 'delete_letter', maps_to: 'DELETE /letters' }],
      execute: [{ name: 'send_draft', maps_to: 'POST /outbox' }],
    },
    ...changes,
  };
}

export function adapterWith(
  changes: Readonly<Record<string, unknown>> = {},
  file = 'x.json',
): Adapter {
  const result = parseAdapter(JSON.stringify(documentOf(changes)), file);
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 2));
  return result.adapter;
}
