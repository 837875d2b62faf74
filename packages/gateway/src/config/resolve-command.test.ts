import { describe, expect, it } from 'vitest';

import { resolveCommand } from './resolve-command.js';

const on = (platform: 'linux' | 'win32', path: string, files: readonly string[]) => ({
  platform,
  path,
  execPath: platform === 'win32' ? String.raw`C:\node\node.exe` : '/opt/node/bin/node',
  exists: (file: string) => files.includes(file),
});

describe('a command', () => {
  it('that is node is the Node that runs us', () => {
    expect(resolveCommand('node')).toBe(process.execPath);
    expect(resolveCommand('node', on('linux', '/usr/bin', ['/usr/bin/node']))).toBe(
      '/opt/node/bin/node',
    );
    expect(resolveCommand('node', on('win32', '', []))).toBe(String.raw`C:\node\node.exe`);
  });

  it.each(['npm', 'npx'])('that is %s is the one beside Node if the PATH has none', (command) => {
    const beside = `/opt/node/bin/${command}`;
    expect(resolveCommand(command, on('linux', '/bin:/usr/bin', [beside]))).toBe(beside);
    expect(resolveCommand(command, on('linux', '', [beside]))).toBe(beside);
  });

  it('that is on the PATH stays', () => {
    const files = ['/usr/bin/npx', '/opt/node/bin/npx'];
    expect(resolveCommand('npx', on('linux', ':/bin:/usr/bin', files))).toBe('npx');
    const windows = [String.raw`D:\tools\npx.cmd`, String.raw`C:\node\npx.cmd`];
    expect(resolveCommand('npx', on('win32', String.raw`C:\x;D:\tools`, windows))).toBe('npx');
  });

  it('that is nowhere stays', () => {
    expect(resolveCommand('npx', on('linux', '/bin', []))).toBe('npx');
  });

  it('on Windows is a .cmd first', () => {
    const both = [String.raw`C:\node\npm`, String.raw`C:\node\npm.cmd`];
    expect(resolveCommand('npm', on('win32', '', both))).toBe(String.raw`C:\node\npm.cmd`);
    expect(resolveCommand('npm', on('win32', '', both.slice(0, 1)))).toBe(String.raw`C:\node\npm`);
  });

  it.each(['python', '/usr/bin/node', './npx', 'npx.cmd', 'NODE', '', 'a\0b', 'toString'])(
    'of any other kind stays: %j',
    (command) => {
      expect(resolveCommand(command)).toBe(command);
      expect(resolveCommand(command, on('win32', '', []))).toBe(command);
    },
  );

  it('is found without a PATH and without options', () => {
    expect(resolveCommand('npx', { path: undefined })).toMatch(/npx/);
    expect(resolveCommand('npx', { path: '/\0' })).toMatch(/npx/);
  });
});
