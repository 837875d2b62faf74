import { describe, expect, it } from 'vitest';

import { checkStart } from './server-checks.js';

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
