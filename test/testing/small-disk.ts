/**
 * A disk of one megabyte that can really be full or read-only, where the machine allows mounting.
 */

import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { removeFolder } from './remove-folder.js';
import { scratch } from './scratch.js';

/** Mounting requires rights that few users have. */
export const CAN_MOUNT: boolean =
  process.platform === 'linux' && process.getuid?.() === 0 && tryMount();

export class SmallDisk {
  readonly folder: string;
  readonly #filler: string;

  constructor() {
    this.folder = join(scratch(), 'disk');
    this.#filler = join(this.folder, 'filler');
    mkdirSync(this.folder);
    must('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', this.folder);
    onTestFinished(() => must('umount', '-l', this.folder));
  }

  /** Uses half of it, so that it fills soon and can be freed again. */
  fillHalf(): void {
    writeFileSync(this.#filler, Buffer.alloc(512 * 1024));
  }

  /** Uses what is left. */
  fill(): void {
    try {
      for (;;) appendFileSync(this.#filler, Buffer.alloc(4096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  free(): void {
    rmSync(this.#filler);
  }

  grow(): void {
    must('mount', '-o', 'remount,size=64m', this.folder);
  }

  setWritable(isWritable: boolean): void {
    must('mount', '-o', `remount,${isWritable ? 'rw' : 'ro'}`, this.folder);
  }
}

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-mount-'));
  try {
    const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', folder);
    if (isMounted) must('umount', folder);
    return isMounted;
  } finally {
    removeFolder(folder);
  }
}

function must(command: string, ...args: string[]): void {
  if (!run(command, ...args)) throw new Error(`${command} ${args.join(' ')} failed`);
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}
