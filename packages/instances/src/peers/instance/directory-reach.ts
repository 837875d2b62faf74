/** Whether the directory can be reached, as the instances tell each other. */

/** The answer to the question whether an instance can reach the directory. */
export interface Reach {
  /** If false, the instance takes no lease for a while. */
  readonly directory: boolean;
}

/**
 * `answers`: of all other instances; `undefined` for those that did not answer. True if most instances answered, this one
 * included, and none of them can reach the directory. If fewer answered, this instance may be the one that is cut off.
 */
export function isCut(answers: readonly (Reach | undefined)[]): boolean {
  const given = answers.filter((answer) => answer !== undefined);
  const isMost = (given.length + 1) * 2 > answers.length + 1;
  return isMost && given.every(({ directory }) => !directory);
}
