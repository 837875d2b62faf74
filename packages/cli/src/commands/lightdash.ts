/** `callsign lightdash`: the Lightdash server, which reads its flags and the environment itself. */

import { main } from '@callsign/lightdash/command';

/** Flags that may stand before any command, and that mean nothing to a server without a configuration. */
const CONFIG_FLAGS = ['--config', '-c'];

export function lightdash(args: readonly string[]): Promise<number> {
  const at = args.findIndex((arg) => CONFIG_FLAGS.includes(arg));
  return main(at === -1 ? args : args.toSpliced(at, 2), process.env);
}
