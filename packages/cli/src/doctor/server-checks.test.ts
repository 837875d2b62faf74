import { describe, expect, it } from 'vitest';

import { CLIENT_PRODUCTS } from '@callsign/naming';

import type { Fleet } from '../fleet/fleet.js';
import { checkNames, checkStart } from './server-checks.js';

describe('names', () => {
  interface Row {
    readonly changed?: number;
    readonly wrong?: string;
  }
  /** A fleet of four tools, as one client and all others see them. */
  const fleet = (one: Row, others: Row = {}): Fleet => {
    const view = (client: string) => ({
      table() {
        const { changed = 0, wrong } = client === 'codex' ? one : others;
        const tools = [0, 1, 2, 3].map((n) => ({ exact: n >= changed }));
        const problem = { severity: 'warning', message: wrong, advice: 'rename it' };
        return { tools, problems: wrong === undefined ? [] : [problem] };
      },
    });
    return { view } as never;
  };
  const shown = (one: Row, others?: Row): string[] =>
    checkNames(fleet(one, others)).map(
      ({ status, check, message }) => `${status} ${check}: ${message}`,
    );

  it('are one line if all clients agree', () => {
    expect(CLIENT_PRODUCTS.length).toBeGreaterThan(2);
    expect(shown({})).toEqual(['pass names: 4 names, none changed']);
    expect(shown({ wrong: 'too long' }, { wrong: 'too long' })).toEqual(['warn names: too long']);
  });

  it('name only the clients that differ', () => {
    expect(shown({ changed: 2 })).toEqual([
      'pass names: 4 names, none changed; in codex: 4 names, 2 changed to fit',
    ]);
    expect(shown({ wrong: 'too long' })).toEqual([
      'pass names: 4 names, none changed',
      'warn names: codex: too long',
    ]);
  });
});

describe('a server that did not start', () => {
  const said = ['    at Module._load', '}', 'Node.js v20.20.2'];
  const server = (failure: string, lines: readonly string[]) =>
    checkStart({ key: 'a', failure, said: lines, tools: [] } as never);

  it('is reported with the line that explains it, if the last lines do not show it', () => {
    const { message } = server('it exited with code 1; it said: Error: no bindings', said);
    expect(message).toContain('it said: Error: no bindings');
  });

  it('is reported with its entry if it printed nothing', () => {
    const { fix } = server('it did not answer within 30 s', []);
    expect(fix).toBe('check its entry: callsign get a');
  });

  it('is reported without it if the last lines show it', () => {
    const lines = ['Error: no bindings', ...said];
    const { message } = server('it exited with code 1; it said: Error: no bindings', lines);
    expect(message).not.toContain('it said');
  });
});
