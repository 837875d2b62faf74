/**
 * A program runs in steps. A step ends when the program waits for answers only. So the same answers in the same order
 * always lead to the same program, and it can be run again from a log.
 */

/** What a program is, and what its clock and its random numbers start from. */
export interface ProgramStart {
  /** The body of an async function. */
  readonly code: string;
  /** A whole number from which all random numbers follow. */
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly limits: ProgramLimits;
}

export interface ProgramLimits {
  /** Milliseconds that the program may compute in one run. Waiting does not count. */
  readonly computeMs: number;
  readonly memoryBytes: number;
  /** Characters of its result as JSON, and of what it prints. */
  readonly outputLength: number;
}

/** A call that the program has made. Calls are numbered from 0, in their order. */
export interface AskedCall {
  /** `server:tool`, as the program wrote it. */
  readonly tool: string;
  /** Its arguments as JSON text. */
  readonly json: string;
}

/** What the program gets from a call. `placeholder`: a value that is not known yet. */
export type Given =
  | { readonly is: 'value'; readonly json: string }
  | { readonly is: 'error'; readonly name: string; readonly message: string }
  | { readonly is: 'placeholder' };

/** How the program ended: with a value as JSON text, or with an error. */
type ProgramEnd = { readonly json: string } | { readonly error: string };

/** What the program did in one step. */
export interface Step {
  readonly calls: readonly AskedCall[];
  /** Missing while the program waits for answers. */
  readonly end?: ProgramEnd;
  /** It used a placeholder. What it did after that does not count. */
  readonly hasStopped: boolean;
  /** Everything that it printed so far. */
  readonly printed: string;
}

/** A running program. One step at a time. */
export interface Program {
  begin(): Promise<Step>;
  /** Answers call `n` at the time `now`, and goes on. */
  give(n: number, given: Given, now: number): Promise<Step>;
  /** Ends it at once, even inside of a loop. */
  stop(): void;
}

/** Starts programs. */
export type StartProgram = (start: ProgramStart) => Program;

/** A program that broke a limit, or whose thread died. */
export class ProgramError extends Error {}
