/** Shows on the terminal that a command is working. */

import { counted, type Progress } from '@callsign/terminal';

import type { Context } from './command.js';

/** Shows the text until the work has ended, successfully or not. */
export async function withProgress<T>(
  { wait }: Pick<Context, 'wait'>,
  text: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = wait(text);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

/** Shows how many records were read so far. */
export function readSoFar(progress: Progress): (records: number) => void {
  return (records) => progress.update(`Read ${counted(records, 'record')}`);
}
