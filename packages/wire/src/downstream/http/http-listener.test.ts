import { NOTHING, type Source } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { META } from '../../rpc/message/protocol.js';
import type { HttpListenerOptions } from './http-listener.js';
import { byName, openGuarded, request } from './testing/guarded-listener.js';

const fail = (): never => {
  throw new Error('a broken handler');
};

/** A view that fails when a call is looked up, which is after the body was read. */
const BROKEN: Source = {
  offer: NOTHING,
  route: fail,
  subscribe: () => () => undefined,
  tell: () => undefined,
};

const CALL = {
  id: 1,
  method: 'tools/call',
  params: {
    name: 't',
    arguments: {},
    _meta: { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} },
  },
};
const HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 't',
};

describe('a request whose handler fails', () => {
  it.each<[string, Partial<HttpListenerOptions>, path: string, method: string]>([
    ['a site, at once', { siteAt: (path) => (path === '/x' ? fail : undefined) }, '/x', 'GET'],
    [
      'a site, later',
      { siteAt: (path) => (path === '/x' ? async () => fail() : undefined) },
      '/x',
      'GET',
    ],
    [
      'the look-up of a page',
      { pageAt: (path) => (path === '/x' ? fail() : undefined) },
      '/x',
      'GET',
    ],
    ['the check of a credential, at once', { authenticate: fail }, '/mcp', 'POST'],
    ['the check of a credential, later', { authenticate: async () => fail() }, '/mcp', 'POST'],
    ['the look-up of a view', { viewOf: fail }, '/mcp/profile/x', 'POST'],
    ['the look-up of a tool', { viewOf: () => BROKEN }, '/mcp/profile/x', 'POST'],
  ])(
    'gets 500, is reported, and harms no other request (K8): %s',
    async (_, more, path, method) => {
      const warnings: string[] = [];
      const warn = (message: string): void => void warnings.push(message);
      const url = await openGuarded({ authenticate: byName, warn, ...more });
      const message = method === 'POST' ? { message: CALL } : {};
      const response = await request(url + path, 'ann', { method, headers: HEADERS, ...message });
      expect(response.status).toBe(500);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ error: { message: 'Internal error' } });
      expect(text).not.toContain('broken handler');
      expect(warnings).toEqual([expect.stringContaining('Error: a broken handler')]);
      expect((await request(`${url}/healthz`, undefined, { method: 'GET' })).status).toBe(200);
    },
  );
});
