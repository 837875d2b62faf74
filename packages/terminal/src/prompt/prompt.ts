/**
 * Asks questions at a terminal. Questions and answers go to standard error, never to standard
 * output. The library for prompts is loaded on first use.
 */

import { onOneLine } from '../text/printable.js';

/** Thrown when the user presses Ctrl-C, Ctrl-D or Escape, and when the input ends. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Runs questions whose earlier answers count even if a later one is interrupted. Says whether one was. */
export async function isInterrupted(questions: () => Promise<void>): Promise<boolean> {
  try {
    await questions();
    return false;
  } catch (error) {
    if (error instanceof Interrupted) return true;
    throw error;
  }
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * Asks for a line of text. `wrong` returns what is wrong with it, or `undefined`. `initialValue`: what is typed at first.
 */
export async function askText(
  message: string,
  wrong: (text: string) => string | undefined,
  initialValue = '',
): Promise<string> {
  const { text } = await import('@clack/prompts');
  const validate = (typed = ''): string | undefined => wrong(typed);
  return answered((place) => text({ ...place, message, validate, initialValue }));
}

/** Asks for a line of text that is not shown. */
export async function askSecret(message: string): Promise<string> {
  const { password } = await import('@clack/prompts');
  return answered((place) => password({ ...place, message }));
}

/** Asks yes or no. `initialValue`: the answer of Enter alone. */
export async function askWhether(message: string, initialValue = true): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  return answered((place) => confirm({ ...place, message, initialValue }));
}

/** Asks for one of the choices. Returns its value. `initialValue`: the answer of Enter alone. Default: the first. */
export async function askWhich(
  message: string,
  choices: readonly Choice[],
  initialValue?: string,
): Promise<string> {
  const { select } = await import('@clack/prompts');
  const options = [...choices];
  const first = initialValue === undefined ? {} : { initialValue };
  return answered((place) => select({ ...place, message, options, ...first }));
}

/** Asks for some of the choices. All are marked at first. */
export async function askSome(message: string, choices: readonly string[]): Promise<string[]> {
  const { multiselect } = await import('@clack/prompts');
  const options = choices.map((value) => ({ value, label: onOneLine(value) }));
  const initialValues = [...choices];
  const required = false;
  return answered((place) => multiselect({ ...place, message, options, initialValues, required }));
}

/** Asks for some of many choices. Typing filters them. None is marked at first. */
export async function askSomeOfMany(
  message: string,
  choices: readonly Choice[],
): Promise<string[]> {
  const { autocompleteMultiselect } = await import('@clack/prompts');
  const options = choices.map(({ value, label }) => ({ value, label: onOneLine(label) }));
  const maxItems = 15;
  return answered((place) => autocompleteMultiselect({ ...place, message, options, maxItems }));
}

interface Place {
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** The library does not notice the end of the input: the command would end without a word. */
async function answered<T>(ask: (place: Place) => Promise<T>): Promise<Exclude<T, symbol>> {
  const { stdin, stderr } = process;
  // Some terminals do not know their size. The library would write one character per line.
  stderr.columns ||= 80;
  stderr.rows ||= 24;
  const end = new AbortController();
  const onEnd = (): void => end.abort();
  // After Ctrl-D in an empty line, nothing is read any more. In other lines it deletes a character.
  const onKey = (_: unknown, { ctrl, name }: { ctrl?: boolean; name?: string } = {}): void => {
    if (ctrl && name === 'd') setImmediate(() => void (stdin.isPaused() && onEnd()));
  };
  stdin.on('keypress', onKey).on('end', onEnd);
  try {
    const answer = await ask({ output: stderr, signal: end.signal });
    if (typeof answer === 'symbol') throw new Interrupted();
    return answer as Exclude<T, symbol>;
  } finally {
    stdin.off('keypress', onKey).off('end', onEnd);
  }
}
