/**
 * Asks questions at a terminal. Questions and answers go to standard error, never to standard
 * output. The library for prompts is loaded on first use.
 */

import { onOneLine } from '../text/printable.js';

/** Thrown when the user presses Ctrl-C or Escape. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

const ON_STDERR = { output: process.stderr };

/** Asks for a line of text. `wrong` returns what is wrong with it, or `undefined`. */
export async function askText(
  message: string,
  wrong: (text: string) => string | undefined,
): Promise<string> {
  const { text, isCancel } = await import('@clack/prompts');
  const validate = (typed = ''): string | undefined => wrong(typed);
  return answered(await text({ ...ON_STDERR, message, validate }), isCancel);
}

/** Asks for a line of text that is not shown. */
export async function askSecret(message: string): Promise<string> {
  const { password, isCancel } = await import('@clack/prompts');
  return answered(await password({ ...ON_STDERR, message }), isCancel);
}

/** Asks yes or no. `initialValue`: the answer of Enter alone. */
export async function askWhether(message: string, initialValue = true): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  return answered(await confirm({ ...ON_STDERR, message, initialValue }), isCancel);
}

/** Asks for one of the choices. Returns its value. */
export async function askWhich(message: string, choices: readonly Choice[]): Promise<string> {
  const { select, isCancel } = await import('@clack/prompts');
  return answered(await select({ ...ON_STDERR, message, options: [...choices] }), isCancel);
}

/** Asks for some of the choices. All are marked at first. */
export async function askSome(message: string, choices: readonly string[]): Promise<string[]> {
  const { multiselect, isCancel } = await import('@clack/prompts');
  const options = choices.map((value) => ({ value, label: onOneLine(value) }));
  const initialValues = [...choices];
  const answer = await multiselect({
    ...ON_STDERR,
    message,
    options,
    initialValues,
    required: false,
  });
  return answered(answer, isCancel);
}

/** Asks for some of many choices. Typing filters them. None is marked at first. */
export async function askSomeOfMany(
  message: string,
  choices: readonly Choice[],
): Promise<string[]> {
  const { autocompleteMultiselect, isCancel } = await import('@clack/prompts');
  const options = choices.map(({ value, label }) => ({ value, label: onOneLine(label) }));
  const maxItems = 15;
  return answered(
    await autocompleteMultiselect({ ...ON_STDERR, message, options, maxItems }),
    isCancel,
  );
}

function answered<T>(answer: T, isCancel: (value: unknown) => boolean): Exclude<T, symbol> {
  if (isCancel(answer)) throw new Interrupted();
  return answer as Exclude<T, symbol>;
}
