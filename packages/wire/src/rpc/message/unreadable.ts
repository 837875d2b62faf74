/** A text that is not a message: what it was meant to be. */

import { membersOf } from '@callsign/core';

import { answerId } from '../stream/edge-id.js';

/** `undefined`: it was meant as neither, or as neither that anyone waits for. */
export interface Unreadable {
  readonly is: 'answer' | 'request' | undefined;
  /** As JSON text. The last one, if there are several. */
  readonly id: string | undefined;
}

/** Whether it has an id, and whether it has a method. */
export function unreadable(text: string): Unreadable {
  const members = membersOf(text);
  const at = members?.get('id');
  const id = members ? at && text.slice(at.start, at.end) : answerId(text, text);
  if (id === undefined || id === 'null') return { is: undefined, id: undefined };
  return { is: members?.has('method') ? 'request' : 'answer', id };
}
