import { describe, expect, it } from 'vitest';

import { serversInDocument } from './client-document.js';

describe('the servers in a document', () => {
  it('are off if their entry or a list of the file says so', () => {
    const document = {
      mcp: { allowed: ['on', 'off', 'not-enabled', 'excluded'], excluded: ['excluded'] },
      mcpServers: {
        on: { command: 'x' },
        off: { command: 'x', disabled: true },
        'not-enabled': { command: 'x', enabled: false },
        excluded: { command: 'x' },
        'not-allowed': { command: 'x' },
      },
    };
    const off = serversInDocument(document, ['mcpServers']).filter(({ isOff }) => isOff);
    expect(off.map(({ key }) => key)).toEqual(['off', 'not-enabled', 'excluded', 'not-allowed']);
  });
});
