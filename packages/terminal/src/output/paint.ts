/** Colours that go away where nobody wants them. */

import { styleText } from 'node:util';

export type Tint = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Makes text of a colour, or leaves it as it is. */
export type Paint = (tint: Tint, text: string) => string;

type Environment = Readonly<Record<string, string | undefined>>;

/** `FORCE_COLOR` decides if it is there, else `NO_COLOR`, else whether somebody looks at a terminal. */
export function wantsColour(env: Environment, stream: { readonly isTTY?: boolean }): boolean {
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: terminal } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (none !== undefined && none !== '') return false;
  return stream.isTTY === true && terminal !== 'dumb';
}

export function createPaint(isOn: boolean): Paint {
  return (tint, text) => (isOn ? styleText(tint, text, { validateStream: false }) : text);
}
