/** An error that a command throws. It becomes a message on standard error and an exit code. */

import type { FileFailure, FileFailureCode } from '../clients/files/file-failure.js';
import { EXIT } from './exit-code.js';
import type { Complaint } from './stderr.js';

/** For errors that a user can understand and solve. Any other error is reported as a bug. */
export class Failure extends Error {
  readonly complaint: Complaint;

  constructor(complaint: Complaint) {
    super(complaint.message);
    this.name = 'Failure';
    this.complaint = complaint;
  }
}

/** The failure for a wrong command line. */
export function usageFailure(message: string): Failure {
  return new Failure({ exit: EXIT.usage, code: 'usage', message });
}

const FILE_EXITS: Readonly<Record<FileFailureCode, number>> = {
  'no-file': EXIT.usage,
  'cannot-read': EXIT.config,
  'cannot-write': EXIT.usage,
  'not-utf8': EXIT.config,
  'client-file-broken': EXIT.config,
  'client-file-unsafe': EXIT.config,
  'backup-is-link': EXIT.config,
};

/** A file that could not be read or changed, as a failure. */
export function fileComplaint({ code, message }: FileFailure): Complaint {
  return { exit: FILE_EXITS[code], code, message };
}

/** The failure after Ctrl-C. */
export function interruption(): Failure {
  return new Failure({ exit: EXIT.interrupted, code: 'interrupted', message: 'Interrupted.' });
}

/** The database that instances share cannot be used. */
export function storageFailure({ message: why }: Error): Failure {
  const message = `The shared storage cannot be used: ${why}.`;
  return new Failure({ exit: EXIT.unreachable, code: 'unreachable', message });
}
