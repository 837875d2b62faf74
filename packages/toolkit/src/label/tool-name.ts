/**
 * Builds a tool's full name from the server's prefix and a short name. Refuses names that a client would
 * refuse, so that the author notices first.
 */

import {
  createNameCheck,
  maxNameLength,
  namePattern,
  PREFIX_SCOPE,
  profileById,
} from '@callsign/naming';
import type { NameFault } from '@callsign/naming';

/** The prefix of every tool that `registerToolSafe` registers. */
export const TOOL_PREFIX = 'lightdash_tools__';

/** Turns a short name into the full one. Throws if a client would refuse the name. */
export type ToolNamer = (shortName: string) => string;

const PORTABLE = profileById('portable');
const LONGEST = maxNameLength(PORTABLE);
const faultsOf = createNameCheck(PORTABLE);

/**
 * Returns a function for one prefix. Throws if a client would refuse the prefix. An empty one is
 * allowed.
 */
export function createToolNamer(prefix: string): ToolNamer {
  const fault = prefix === '' ? undefined : faultsOf(prefix)[0];
  if (fault !== undefined) {
    throw new RangeError(`The prefix "${shown(prefix)}" cannot be used: ${ADVICE[fault](prefix)}`);
  }
  const pattern = namePattern('{prefix}{tool}', { scope: PREFIX_SCOPE, bind: { prefix } });
  return function fullName(shortName) {
    const problem = shortNameProblem(shortName, prefix);
    if (problem !== undefined) {
      throw new RangeError(`The tool name "${shown(shortName)}" cannot be used: ${problem}`);
    }
    return pattern.format({ tool: shortName });
  };
}

function shortNameProblem(shortName: string, prefix: string): string | undefined {
  if (shortName === '') return 'it is empty. Give a short name such as list_charts.';
  if (prefix !== '' && shortName.startsWith(prefix)) {
    const rest = shortName.slice(prefix.length);
    return `it already has the prefix. Register it as "${shown(rest)}"; "${prefix}" is added automatically.`;
  }
  const fault = faultsOf(prefix + shortName)[0];
  return fault && ADVICE[fault](prefix + shortName);
}

const ADVICE: Readonly<Record<NameFault, (name: string) => string>> = {
  empty: () => 'it is empty.',
  characters: () =>
    'some clients refuse a character in it. Use letters, digits and underscores only.',
  'first-character': () => 'some clients require a letter first. Begin with a letter.',
  length: (name) =>
    `the full name has ${name.length} characters; the strictest client allows ${LONGEST}. ` +
    'Use a shorter name or prefix.',
};

/** Keeps the error message readable for any name. */
function shown(name: string): string {
  const text = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return JSON.stringify(text).slice(1, -1);
}
