/** One finding of the doctor: fine, a warning or a failure, with advice. */

export interface Finding {
  readonly check: string;
  readonly status: 'pass' | 'warn' | 'fail';
  readonly message: string;
  /** What to do. Missing if there is nothing to do. */
  readonly fix?: string;
  /** What a server printed before it failed. */
  readonly said?: readonly string[];
}

export function pass(check: string, message: string): Finding {
  return { check, status: 'pass', message };
}

export function warn(check: string, message: string, fix: string): Finding {
  return { check, status: 'warn', message, fix };
}

export function fail(check: string, message: string, fix: string): Finding {
  return { check, status: 'fail', message, fix };
}
