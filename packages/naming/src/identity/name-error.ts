/** The three errors for a called name. The wire chooses the JSON-RPC number. */

/** No colon; a colon with an empty side; a well-formed name that no tool has. */
export type NameErrorKind = 'missing-prefix' | 'malformed' | 'not-found';

/** Why a called name finds no tool, in the words that the naming convention requires. */
export interface NameError {
  readonly kind: NameErrorKind;
  /** The name as it was called. */
  readonly name: string;
  /** Names that were probably meant, best first. */
  readonly suggestions: readonly string[];
  /**
   * The sentence that the naming convention requires. A second line has the suggestions, if there
   * are any.
   */
  readonly message: string;
}

/** For a name without a colon. */
export function missingPrefix(name: string, suggestions: readonly string[] = []): NameError {
  return nameError(
    'missing-prefix',
    'Tool name must be prefixed with server key',
    name,
    suggestions,
  );
}

/** For a name with nothing before or after its first colon. */
export function malformedName(name: string, suggestions: readonly string[] = []): NameError {
  return nameError('malformed', 'Invalid tool name format', name, suggestions);
}

/** Also for a tool that this caller may not see: both look the same. */
export function toolNotFound(name: string, suggestions: readonly string[] = []): NameError {
  return nameError('not-found', 'Tool not found', name, suggestions);
}

function nameError(
  kind: NameErrorKind,
  sentence: string,
  name: string,
  suggestions: readonly string[],
): NameError {
  const hint = suggestions.length > 0 ? `\nDid you mean: ${suggestions.join(' or ')}?` : '';
  return { kind, name, suggestions, message: `${sentence}: ${shown(name)}${hint}` };
}

/** Cuts a long name: a caller may send a name of any length. */
function shown(name: string): string {
  return name.length > 256 ? `${name.slice(0, 256)}…` : name;
}
