import { describe, expect, it } from 'vitest';

import { textsIn, withVariable } from '../../setup/variable-questions.js';

describe('a variable of an entry', () => {
  it('is replaced in every form, at every depth, and nowhere else', () => {
    const entry = {
      command: 'x',
      args: ['${TOKEN}', '${env:TOKEN}', '$TOKEN', '${TOKEN:-none}', '$TOKENS', '$$TOKEN', 'TOKEN'],
      env: { A: 'Bearer ${TOKEN}', B: '${OTHER}' },
      timeout: 5,
    };
    expect(withVariable(entry, 'TOKEN', 'v')).toEqual({
      command: 'x',
      args: ['v', 'v', 'v', 'v', '$TOKENS', '$$TOKEN', 'TOKEN'],
      env: { A: 'Bearer v', B: '${OTHER}' },
      timeout: 5,
    });
  });

  it('keeps a value that looks like a variable as it is', () => {
    expect(withVariable({ env: { A: '${T}' } }, 'T', 'a$HOME${X}$&')).toEqual({
      env: { A: 'a$$HOME$${X}$&' },
    });
  });

  it('keeps a password with a dollar sign as it was typed', () => {
    expect(withVariable({ env: { A: '${T}' } }, 'T', 'pa$Word1')).toEqual({
      env: { A: 'pa$Word1' },
    });
  });

  it('is found in texts', () => {
    expect(textsIn({ command: 'x', args: ['a'], env: { B: 'b' }, n: 1 })).toEqual(['x', 'a', 'b']);
  });
});
