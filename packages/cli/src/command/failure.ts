/** A command that cannot do what it was asked: thrown anywhere in it, said and turned into an exit code at its end. */

import { EXIT } from './exit-code.js';
import type { Complaint } from './stderr.js';

export class Failure extends Error {
  readonly complaint: Complaint;

  constructor(complaint: Complaint) {
    super(complaint.message);
    this.name = 'Failure';
    this.complaint = complaint;
  }
}

/** The words of the command line do not make sense. */
export function usageFailure(message: string): Failure {
  return new Failure({ exit: EXIT.usage, code: 'usage', message });
}

/** Somebody at a terminal has thought better of it. */
export function interruption(): Failure {
  return new Failure({ exit: EXIT.interrupted, code: 'interrupted', message: 'Interrupted.' });
}
