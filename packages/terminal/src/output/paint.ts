/** Colours: one per meaning, defined only here, and off where they are not wanted. */

import { styleText } from 'node:util';

/** The meaning of a text. Commands choose a meaning, never a colour. */
export type Meaning =
  /** The risk of a tool. */
  | 'read'
  | 'write'
  | 'destructive'
  /** How something went, or how it is. */
  | 'good'
  | 'warning'
  | 'bad'
  /** The thing that a line is about. */
  | 'name'
  /** Less important text. */
  | 'aside'
  /** A name that was changed for a client. */
  | 'changed';

const COLOURS: Readonly<Record<Meaning, 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'>> = {
  read: 'green',
  write: 'yellow',
  destructive: 'red',
  good: 'green',
  warning: 'yellow',
  bad: 'red',
  name: 'bold',
  aside: 'dim',
  changed: 'cyan',
};

/** Gives text the colour of its meaning. Returns it unchanged if colours are off. */
export type Paint = (meaning: Meaning, text: string) => string;

type Environment = Readonly<Record<string, string | undefined>>;

/** `FORCE_COLOR` decides if it is set, then `NO_COLOR`, then whether the output is a terminal. */
export function wantsColour(env: Environment, stream: { readonly isTTY?: boolean }): boolean {
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: terminal } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (none !== undefined && none !== '') return false;
  return stream.isTTY === true && terminal !== 'dumb';
}

/** Off: the text is returned unchanged. */
export function createPaint(isOn: boolean): Paint {
  return (meaning, text) =>
    isOn ? styleText(COLOURS[meaning], text, { validateStream: false }) : text;
}
