/** The database could not be reached, or refused. The message is for people and holds no password. */

export class StorageError extends Error {
  override readonly name = 'StorageError';
}
