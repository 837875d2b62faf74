import { describe, expect, it } from 'vitest';

import { configOf, linesOf, problemsOf, warningsOf } from './testing/problems-of.js';

const REMOTE = { url: 'https://notes.example.com/mcp' };

function fileOf(entry: object, accounts: unknown): string {
  const servers = { notes: { accounts } };
  return JSON.stringify({ mcpServers: { notes: entry }, callsign: { servers } });
}

const problems = (entry: object, accounts: unknown): string =>
  linesOf(problemsOf(fileOf(entry, accounts))).join('\n');
const slot = (name: string) => ({ by: 'caller', slots: { [name]: { label: 'Yours' } } });

describe('accounts', () => {
  it('are for remote servers, and for servers on this machine with variables to fill in', () => {
    expect(configOf(fileOf(REMOTE, { by: 'caller' })).servers).toHaveLength(1);
    expect(configOf(fileOf({ command: 'x' }, slot('TOKEN'))).servers).toHaveLength(1);
    expect(problems({ command: 'x' }, { by: 'caller' })).toContain(
      'runs on this machine, so its callers cannot sign in to it → name the variables',
    );
  });

  it.each(['PATH', 'path', 'HOME', 'NODE_OPTIONS', 'LD_PRELOAD', 'PYTHONPATH', 'BASH_ENV'])(
    'never let callers set %s',
    (name) => {
      expect(problems({ command: 'x' }, slot(name))).toContain(
        'decides which code the server runs',
      );
    },
  );

  it.each(['', 'a b', 'A=B', 'x\ny', 'a:b'])('have plain names, not %j', (name) => {
    expect(problems(REMOTE, slot(name))).toContain('is not the name of a header or a variable');
  });

  it('need at least one slot, and a label for each', () => {
    expect(problems(REMOTE, { by: 'caller', slots: {} })).toContain('is empty');
    expect(problems(REMOTE, { by: 'caller', slots: { A: {} } })).toContain('label');
    const split = { label: 'x', before: 'a\r\nb' };
    expect(problems(REMOTE, { by: 'caller', slots: { A: split } })).toContain('plain characters');
  });

  it('say that a header of the configuration is not sent', () => {
    const entry = { ...REMOTE, headers: { Authorization: 'Bearer x' } };
    const warned = (accounts: object) => linesOf(warningsOf(fileOf(entry, accounts))).join('\n');
    expect(warned({ by: 'caller' })).toContain('is never sent');
    expect(warned({ by: 'caller', lists: 'shared' })).not.toContain('is never sent');
  });
});
