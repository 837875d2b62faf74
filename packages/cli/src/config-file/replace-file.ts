/** Replaces a file, and says what to do where that is not possible. */

import { replaceFile as replace } from '@callsign/config';

import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

export function replaceFile(path: string, text: string): void {
  try {
    replace(path, text, { throughLinks: true });
  } catch (error) {
    const { code, message: why } = error as NodeJS.ErrnoException;
    const message = `Cannot write ${path} (${code ?? why}). Allow this user to write there.`;
    throw new Failure({ exit: EXIT.usage, code: 'cannot-write', message });
  }
}
