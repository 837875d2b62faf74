/** The command that a slip of the finger meant. */

import { editDistance } from '@callsign/naming';

import type { CommandEntry } from '../command/command.js';

const MAX_SLIPS = 2;

export function nearestCommand(name: string, entries: readonly CommandEntry[]): string | undefined {
  const names = entries.filter(({ summary }) => summary !== undefined).map((each) => each.name);
  const near = names
    .map((each) => ({ each, slips: editDistance(name.slice(0, 40), each, MAX_SLIPS) }))
    .filter(({ slips }) => slips <= MAX_SLIPS)
    .toSorted((a, b) => a.slips - b.slips);
  return near[0]?.each;
}
