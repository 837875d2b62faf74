import { describe, expect, it } from 'vitest';

import { SharedSync } from './shared-sync.js';

function setup() {
  const running: ((error: Error | null) => void)[] = [];
  const heard: string[] = [];
  const sync = new SharedSync(
    (done) => running.push(done),
    (trouble) => heard.push(`failed: ${trouble}`),
  );
  const run = (name: string): void =>
    sync.run((trouble) => heard.push(`${name}: ${trouble ?? 'on disk'}`));
  return { run, running, heard };
}

describe('a shared sync', () => {
  it('covers only what was written before it, and the rest shares the next one', () => {
    const { run, running, heard } = setup();
    for (const name of ['a', 'b', 'c']) run(name);
    expect(running).toHaveLength(1);
    running[0]!(null);
    expect(heard).toEqual(['a: on disk']);
    expect(running).toHaveLength(2);
    running[1]!(null);
    expect(heard).toEqual(['a: on disk', 'b: on disk', 'c: on disk']);
    expect(running).toHaveLength(2);
    run('d');
    expect(running).toHaveLength(3);
  });

  it('tells everyone who waits why it failed, and goes on', () => {
    const { run, running, heard } = setup();
    run('a');
    running[0]!(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    expect(heard).toEqual(['failed: the disk is full', 'a: the disk is full']);
    run('b');
    running[1]!(null);
    expect(heard.at(-1)).toBe('b: on disk');
  });
});
