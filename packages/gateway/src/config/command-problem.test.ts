import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { findCommand } from './command-problem.js';
import type { StdioServer } from './server-config.js';

const env = { PATH: process.env['PATH'] };
const server = (command: string): StdioServer =>
  ({ key: 'a', transport: 'stdio', command, args: [], env: {}, settings: {} }) as never;

describe('the program of a server', () => {
  it('is found', () => {
    expect(findCommand(server(process.execPath), env)).not.toHaveProperty('problem');
  });

  it.each(['PATH', 'Path', 'path'])('is found on Windows if the variable is written %s', (name) => {
    const folder = scratch();
    writeFileSync(join(folder, 'git.exe'), '');
    const found = findCommand(server('git'), { [name]: folder }, '.', 'win32');
    expect(found).toEqual({ program: 'git' });
  });

  it('is not looked for in a variable of another name elsewhere', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'git'), '');
    expect(findCommand(server('git'), { Path: folder }, '.', 'linux')).toHaveProperty('problem');
  });

  it('is missing', () => {
    const { problem } = findCommand(server('no-such-program --token s3cret'), env);
    expect(problem?.message).toContain('is not on the PATH');
  });

  it.each(['/opt/old thing/bin/mcp-old', './mcp-old', 'C:\\mcp-old.exe'])(
    'is missing at the path %s',
    (path) => {
      const { problem } = findCommand(server(path), env);
      expect(problem).toEqual({
        message: `${path} does not exist`,
        advice: 'install it, or correct the path',
      });
    },
  );

  it('is missing on the PATH, although its arguments have slashes', () => {
    const { problem } = findCommand(server('no-such-program @a/b'), env);
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
