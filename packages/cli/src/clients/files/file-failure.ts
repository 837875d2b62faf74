/** The error for a file that cannot be read or changed. Its message says what to do. */

/** Commands choose an exit code by it. */
export type FileFailureCode =
  | 'no-file'
  | 'cannot-read'
  | 'cannot-write'
  | 'not-utf8'
  | 'client-file-broken'
  | 'client-file-unsafe'
  | 'backup-is-link';

/** The file that the message names is unchanged. */
export class FileFailure extends Error {
  readonly code: FileFailureCode;

  constructor(code: FileFailureCode, message: string) {
    super(message);
    this.name = 'FileFailure';
    this.code = code;
  }
}
