/** The rules about names. Each rule sees the names of one server, as the server lists them. */

import {
  createNameCheck,
  notOneOf,
  lengthLeft,
  type ClientProfile,
} from '../profile/client-profile.js';
import { profileById } from '../profile/client-profiles.js';
import { hasInvisible, mixesScripts, skeleton } from '../words/confusables.js';
import { snakeCase } from '../words/words.js';
import type { Flaw, Rule } from './rule.js';

/** The input of every rule: the names of one server's tools, and the clients that they are for. */
export interface LintedNames {
  /** Sorted. Empty: a tool without a name. */
  readonly names: readonly string[];
  readonly clients: readonly ClientProfile[];
  /** The server's key in clients. */
  readonly key: string;
}

type NameRule = Rule<LintedNames>;

const SPEC = profileById('spec');
const PORTABLE = createNameCheck(profileById('portable'));

/** All rules. Each has a page in docs/lint. */
export const NAME_RULES: readonly NameRule[] = [
  {
    id: 'name-missing',
    severity: 'error',
    summary: 'A tool without a name.',
    why: 'Nothing can call it, and clients that validate the list may drop all of it.',
    *check({ names }) {
      if (!names.includes('')) return;
      yield { tool: '', message: 'A tool has no name.', fix: 'Give it one: verb_object.' };
    },
  },
  {
    id: 'name-duplicate',
    severity: 'error',
    summary: 'Two tools of one server with the same name.',
    why: 'Only one of them can be called, and which one differs from client to client.',
    *check({ names }) {
      const seen = new Set<string>();
      const twice = names.filter((name) => name !== '' && seen.size === seen.add(name).size);
      for (const name of new Set(twice)) {
        yield { tool: name, message: 'Listed more than once.', fix: 'Rename or remove one.' };
      }
    },
  },
  {
    id: 'name-characters',
    severity: 'warning',
    summary: 'A name with characters that the specification does not allow.',
    why: 'Model APIs refuse it; some clients then withhold every tool of the server.',
    *check({ names, clients }) {
      const checks = clients.map((client) => ({
        client,
        faults: createNameCheck(client, Infinity),
      }));
      const taken = new Set(names);
      for (const name of distinct(names)) {
        const refusing = checks.filter(({ faults }) => faults(name).length > 0);
        const illegal = outside(name, SPEC);
        if (illegal === '' && refusing.length === 0) continue;
        const odd = refusing.map(({ client }) => outside(name, client)).find((text) => text !== '');
        yield {
          tool: name,
          // Legal under the specification: some clients refuse it, but it is not wrong.
          severity: illegal ? 'warning' : 'info',
          message: illegal
            ? `Contains ${illegal}; the specification allows letters, digits, "_", "-" and ".".`
            : `${odd ? `Contains ${odd}` : `Begins with "${name.charAt(0)}"`}, which some clients do not accept.`,
          fix: betterName(name, taken),
          clients: refusing.map(({ client }) => client.id),
        };
      }
    },
  },
  {
    id: 'name-length',
    severity: 'warning',
    summary: 'A name that is too long for a client.',
    why: 'The client leaves the tool out, cuts its name, or fails the whole request.',
    *check({ names, clients, key }) {
      const limits = clients.map((client) => ({
        client,
        maxLength: Math.max(0, lengthLeft(client, key)),
      }));
      for (const name of distinct(names)) {
        const short = limits.filter(({ maxLength }) => name.length > maxLength);
        if (short.length === 0) continue;
        const maxLength = Math.min(...short.map((each) => each.maxLength));
        yield {
          tool: name,
          severity: name.length > SPEC.maxLength ? 'error' : 'warning',
          message: `Is ${name.length} characters long; the strictest of these clients allows ${maxLength}.`,
          fix: 'Shorten it, or the key of the server; leave out what the key already says.',
          clients: short.map(({ client }) => client.id),
        };
      }
    },
  },
  {
    id: 'name-collision',
    severity: 'error',
    summary: 'Two names that become one in a client.',
    why: 'A client that replaces characters sees one tool twice and drops or confuses one.',
    *check({ names, clients }) {
      const found = new Map<string, { group: readonly string[]; clients: ClientProfile[] }>();
      for (const client of clients) {
        if (client.badNames !== 'replaced' || client.characters === null) continue;
        const illegal = new RegExp(notOneOf(client.characters), 'g');
        for (const group of alike(names, (name) => name.replace(illegal, '_'))) {
          const known = found.get(group.join('\0'));
          if (known) known.clients.push(client);
          else found.set(group.join('\0'), { group, clients: [client] });
        }
      }
      for (const { group, clients: where } of found.values()) {
        const labels = where.map(({ label }) => label).join(', ');
        yield* eachOf(group, (name, others) => ({
          tool: name,
          message: `Becomes the same name as ${others} in ${labels}.`,
          fix: 'Rename one so that they differ in letters or digits.',
          clients: where.map(({ id }) => id),
        }));
      }
    },
  },
  {
    id: 'name-case',
    severity: 'warning',
    summary: 'Two names that differ only in upper and lower case.',
    why: 'People and models mix them up, and so do clients that ignore case.',
    *check({ names }) {
      for (const group of alike(names, (name) => name.toLowerCase())) {
        yield* eachOf(group, (name, others) => ({
          tool: name,
          message: `Differs from ${others} only in upper and lower case.`,
          fix: 'Rename one.',
        }));
      }
    },
  },
  {
    id: 'name-confusable',
    severity: 'warning',
    summary: 'A name that looks like another, or mixes scripts.',
    why: 'A look-alike letter is how one tool passes for another, by mistake or on purpose.',
    *check({ names }) {
      for (const name of distinct(names).filter(mixesScripts)) {
        const message = 'Mixes letters of several scripts that look alike.';
        yield { tool: name, message, fix: 'Write it in one script.' };
      }
      for (const group of alike(names, skeleton)) {
        if (
          alike(group, (name) => name.toLowerCase()).some(({ length }) => length === group.length)
        ) {
          continue; // name-case reports these
        }
        yield* eachOf(group, (name, others) => ({
          tool: name,
          message: `Looks like ${others}.`,
          fix: 'Rename one so that people can tell them apart at a glance.',
        }));
      }
    },
  },
  {
    id: 'name-invisible',
    severity: 'error',
    summary: 'A name with invisible characters.',
    why: 'It cannot be typed, and it can pass for another tool or carry hidden text to a model.',
    *check({ names }) {
      for (const name of distinct(names).filter(hasInvisible)) {
        const message = 'Contains invisible characters.';
        yield { tool: name, message, fix: 'Remove zero-width, direction and control characters.' };
      }
    },
  },
];

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '');
}

/** Groups of two or more different names that share a key. */
function alike(names: readonly string[], key: (name: string) => string): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of distinct(names)) {
    const group = groups.get(key(name));
    if (group) group.push(name);
    else groups.set(key(name), [name]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** One flaw per name of a group, each naming the others. */
function* eachOf(
  group: readonly string[],
  complain: (name: string, others: string) => Flaw,
): Generator<Flaw> {
  for (const name of group) {
    // Three others are enough. A hostile server may have thousands.
    const others = group
      .slice(0, 4)
      .filter((other) => other !== name)
      .slice(0, 3);
    const more = group.length - 1 - others.length;
    yield complain(name, more > 0 ? `${others.join(', ')} and ${more} more` : others.join(', '));
  }
}

/** The characters of a name that a client does not accept, quoted. */
function outside(name: string, { characters }: ClientProfile): string {
  if (characters === null) return '';
  const illegal = name.match(new RegExp(notOneOf(characters), 'gu'));
  return [...new Set(illegal)]
    .slice(0, 8)
    .map((character) => JSON.stringify(character))
    .join(' ');
}

/** Advice with a name made from the same words, if every client accepts it and no tool has it. */
function betterName(name: string, taken: ReadonlySet<string>): string {
  const better = snakeCase(name.normalize('NFKD').replace(/\p{M}+/gu, ''));
  const isFree = better !== '' && !taken.has(better) && PORTABLE(better).length === 0;
  return isFree
    ? `Call it ${better}.`
    : 'Use letters, digits and underscores, beginning with a letter.';
}
