/**
 * The database could not be reached, or refused a request. The message is for people and contains
 * no password.
 */

export class StorageError extends Error {
  override readonly name = 'StorageError';
  /** Whether the request has changed nothing, and never will. Otherwise this is not known. */
  readonly hasNoEffect: boolean;

  constructor(message: string, options: ErrorOptions & { readonly hasNoEffect?: boolean } = {}) {
    const { hasNoEffect = false, ...rest } = options;
    super(message, rest);
    this.hasNoEffect = hasNoEffect;
  }
}
