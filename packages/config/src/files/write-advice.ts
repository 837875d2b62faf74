/** Says what a person can do about a file that cannot be written. */

/** `code`: the error of the system, such as `EACCES`. It is the end of a sentence. */
export function writeAdvice(code: string | undefined): string {
  if (code === 'ENOSPC') return 'free some space on that disk';
  if (code === 'EDQUOT') return 'free some space: the disk quota of this user is used up';
  return 'allow this user to write there';
}
