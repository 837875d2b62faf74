import { delimiter } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ConnectedClients, type ClientsChange } from './connected-clients.js';

const client = (id: string, env: Record<string, string>) => ({ id, folder: `/${id}`, env });
const path = (...folders: string[]): string => folders.join(delimiter);

describe('the variables of all clients', () => {
  it('are those of the client that connected first, then of the next ones', () => {
    const clients = new ConnectedClients({ HOME: '/home', PATH: path('/bin') });
    const a = client('a', { TOKEN: 'a', PATH: path('/a', '/bin') });
    const b = client('b', { TOKEN: 'b', ONLY: 'b', PATH: path('/b', '/a') });
    for (const each of [a, b]) clients.add(each);
    expect(clients.env).toEqual({
      HOME: '/home',
      TOKEN: 'a',
      ONLY: 'b',
      PATH: path('/a', '/bin', '/b'),
    });
    expect(clients.envOf(b)).toMatchObject({ TOKEN: 'b', PATH: path('/a', '/bin', '/b') });
    expect(clients.folder).toBe('/a');
    clients.remove(a);
    expect(clients.env['TOKEN']).toBe('b');
    expect(clients.folder).toBe('/b');
    clients.remove(b);
    expect(clients.env).toMatchObject({ TOKEN: 'b', ONLY: 'b' });
    expect(clients.size).toBe(0);
  });

  it('are announced if more than the PATH has changed', () => {
    const clients = new ConnectedClients({});
    const changes: ClientsChange[] = [];
    clients.onChange((change) => changes.push(change));
    const a = client('a', { TOKEN: 'a' });
    const b = { ...client('b', { TOKEN: 'b', PATH: '/b' }), folder: '/elsewhere' };
    clients.add(a);
    clients.add(a);
    clients.add(b);
    clients.remove(b);
    clients.remove(b);
    expect(changes).toEqual([
      { added: a, isOther: true },
      { added: b, isOther: false },
      { removed: b, isOther: false },
    ]);
  });
});
