/** One colour per meaning. Every command takes its colours from here. */

import type { Tint } from './paint.js';

type Meaning =
  | 'read'
  | 'write'
  | 'destructive'
  | 'good'
  | 'warning'
  | 'bad'
  | 'name'
  | 'aside'
  | 'changed';

export const TINTS: Readonly<Record<Meaning, Tint>> = {
  // The risk of a tool.
  read: 'green',
  write: 'yellow',
  destructive: 'red',
  // How something went, or how it is.
  good: 'green',
  warning: 'yellow',
  bad: 'red',
  // The thing that a line is about, and what matters less.
  name: 'bold',
  aside: 'dim',
  // A name that had to be changed for a client.
  changed: 'cyan',
};
