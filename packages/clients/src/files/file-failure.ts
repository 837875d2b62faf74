/** A file that cannot be read or changed, with a sentence that says what to do. */

export type FileFailureCode =
  | 'no-file'
  | 'cannot-read'
  | 'cannot-write'
  | 'client-file-broken'
  | 'client-file-unsafe'
  | 'backup-is-link';

export class FileFailure extends Error {
  readonly code: FileFailureCode;

  constructor(code: FileFailureCode, message: string) {
    super(message);
    this.name = 'FileFailure';
    this.code = code;
  }
}
