/** Asks a person at a terminal. Questions and answers never go to standard output. */

import { onOneLine } from '../text/printable.js';

/** The person pressed Ctrl-C, or Escape. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

const ON_STDERR = { output: process.stderr };

/** A line of text; `wrong` says what is wrong with it, if anything. */
export async function askText(
  message: string,
  wrong: (text: string) => string | undefined,
): Promise<string> {
  const { text, isCancel } = await import('@clack/prompts');
  const validate = (typed = ''): string | undefined => wrong(typed);
  return answered(await text({ ...ON_STDERR, message, validate }), isCancel);
}

/** A line of text that is not shown. */
export async function askSecret(message: string): Promise<string> {
  const { password, isCancel } = await import('@clack/prompts');
  return answered(await password({ ...ON_STDERR, message }), isCancel);
}

/** `initialValue`: what Enter alone means. */
export async function askWhether(message: string, initialValue = true): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  return answered(await confirm({ ...ON_STDERR, message, initialValue }), isCancel);
}

export async function askWhich(message: string, choices: readonly Choice[]): Promise<string> {
  const { select, isCancel } = await import('@clack/prompts');
  return answered(await select({ ...ON_STDERR, message, options: [...choices] }), isCancel);
}

/** Some of the choices; all of them are marked at first. */
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

/** Some of many choices, which typed letters narrow down; none is marked at first. */
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
