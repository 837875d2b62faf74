import { describe, expect, it } from 'vitest';

import { findCommand } from './command-problem.js';
import type { StdioServer } from './server-config.js';

const env = { PATH: process.env['PATH'] };
const server = (command: string): StdioServer =>
  ({ key: 'a', transport: 'stdio', command, args: [], env: {}, settings: {} }) as never;

describe('the program of a server', () => {
  it('is found', () => {
    expect(findCommand(server(process.execPath), env)).not.toHaveProperty('problem');
  });

  it('is missing', () => {
    const { problem } = findCommand(server('no-such-program --token s3cret'), env);
    expect(problem?.message).toContain('is not on the PATH');
  });

  it('may be written with its arguments, which are not repeated', () => {
    const { problem } = findCommand(server(`${process.execPath} server.mjs --token s3cret`), env);
    expect(problem).toEqual({
      message: '"command" holds a whole command line',
      advice: `write "command": ${JSON.stringify(process.execPath)}, and the other words as a list in "args"`,
    });
  });
});
