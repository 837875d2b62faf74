/** `callsign lightdash`: runs the Lightdash server, which reads its own flags and variables. */

import { main } from '@callsign/lightdash/command';

import type { Shell } from '../command/shell.js';

/** Flags that are allowed before any command. Here they have no effect. */
const CONFIG_FLAGS = ['--config', '-c'];

export function lightdash(args: readonly string[], env: Shell['env']): Promise<number> {
  const at = args.findIndex((arg) => CONFIG_FLAGS.includes(arg));
  return main(at === -1 ? args : args.toSpliced(at, 2), env);
}
