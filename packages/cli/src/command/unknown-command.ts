/** The complaints about misspelled commands, with the command that was probably meant. */

import { nearestWord } from '@callsign/config';

import type { CommandEntry } from './command.js';
import { EXIT } from './exit-code.js';
import type { Complaint } from './stderr.js';

/** Words of other tools, and what does the same here. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['ls', 'list'],
  ['ps', 'status'],
  ['rm', 'remove'],
  ['run', 'serve'],
  ['start', 'serve'],
  ['version', '--version'],
]);

/** The words that name a command, and the word after them. */
interface MeantAction {
  readonly name: string;
  readonly next: string | undefined;
}

/** Some commands take a word and also have actions, such as `tools PATTERN` and `tools show`. */
export function withActionHint(
  complaint: Complaint,
  { name, next }: MeantAction,
  commands: readonly CommandEntry[],
): Complaint {
  const actions = complaint.exit === EXIT.usage ? actionsOf(name, commands) : [];
  const hint = meantAction(name, nearestWord(next ?? '', actions));
  return { ...complaint, message: `${complaint.message}${hint}` };
}

export function unknownCommand(meant: MeantAction, commands: readonly CommandEntry[]): Complaint {
  const { name, next } = meant;
  const actions = actionsOf(name, commands);
  const known = ` Known: ${actions.join(', ')}.`;
  const message =
    actions.length === 0
      ? `There is no command "${name}".${commandHint(meant, commands)} See: callsign --help`
      : next === undefined
        ? `"${name}" needs a second word: ${actions.join(', ')}. See: callsign ${name} --help`
        : `There is no command "${name} ${next}".${meantAction(name, nearestWord(next, actions)) || known} See: callsign ${name} --help`;
  return { exit: EXIT.usage, code: 'usage', message };
}

/** The nearest command, with the word after it if that is its action. */
function commandHint({ name, next }: MeantAction, commands: readonly CommandEntry[]): string {
  const other = OTHER_WORDS.get(name);
  if (other !== undefined) return ` Did you mean: callsign ${other}?`;
  const known = commands.filter(({ summary }) => summary !== undefined).map((each) => each.name);
  const nearest = nearestWord(name, new Set(known.map((each) => each.split(' ')[0]!)));
  if (nearest === undefined) return '';
  const longer = `${nearest} ${next}`;
  return ` Did you mean: callsign ${known.includes(longer) ? longer : nearest}?`;
}

function meantAction(name: string, action: string | undefined): string {
  return action === undefined ? '' : ` Did you mean: callsign ${name} ${action}?`;
}

function actionsOf(name: string, commands: readonly CommandEntry[]): string[] {
  return commands.flatMap((each) =>
    each.name.startsWith(`${name} `) ? each.name.slice(name.length + 1) : [],
  );
}
