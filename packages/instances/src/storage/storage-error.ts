/**
 * The database could not be reached, or refused a request. The message is for people and contains
 * no password.
 */

export class StorageError extends Error {
  override readonly name = 'StorageError';
}
