/** The rule that a description gives the model no orders; it knows phrases, not intentions. */

import { ownText } from '../property.js';
import { segmentsOf } from '../words.js';
import type { Flaw, LintedTool, Rule, Severity } from './rule.js';

interface Order {
  readonly what: string;
  readonly severity: Severity;
  readonly patterns: readonly RegExp[];
}

const ORDERS: readonly Order[] = [
  {
    what: 'Tells the model to disregard its instructions.',
    severity: 'error',
    patterns: [
      /\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|of|the|your|these)\s+)*(?:previous|prior|earlier|above|preceding|other)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules|guidelines)\b/i,
    ],
  },
  {
    what: 'Tells the model to keep something from the user.',
    severity: 'error',
    patterns: [
      // "Do not tell the user to restart" is about what to say, not about hiding.
      /\b(?:do not|don['’]t|never|without)\s+(?:tell|inform)(?:ing)?\s+(?:the\s+)?users?\b(?!\s+to\b)/i,
      /\b(?:do not|don['’]t|never|without)\s+(?:mention|reveal|show|disclos)(?:e|ing)?\s+(?:this|that|it|these|any)\b[^.!?\n]{0,40}\bto\s+(?:the\s+)?users?\b/i,
    ],
  },
  {
    what: 'Wraps orders in a tag or a chat marker.',
    severity: 'error',
    patterns: [
      /<\/?(?:important|system|instructions?|secret|hidden|critical)>/i,
      /<\|\w+\|>|\[\/?INST\]/i,
    ],
  },
  { what: 'Speaks of the system prompt.', severity: 'warning', patterns: [/\bsystem prompt\b/i] },
  { what: 'Holds an HTML comment.', severity: 'warning', patterns: [/<!--/] },
];

/** The few words behind a word of command, where the name of a commanded tool would stand. */
const COMMANDED =
  /\b(?:before|instead of|rather than|always|never|do not|don['’]t|whenever|every time|each time)(?=((?:[\s"'`(*]+[\w./:-]+){1,5}))/gi;

export const descriptionAddressesModel: Rule = {
  id: 'description-addresses-model',
  severity: 'error',
  summary: 'The description gives the model orders instead of describing its tool.',
  why: 'Whatever a description says goes to the model as it is: a tool can hijack others unseen.',
  who: 'all',
  check(tools) {
    const names = new Set(tools.flatMap(({ name }) => writtenNames(name)));
    return tools.flatMap((tool) => {
      const text = ownText(tool, 'description');
      return text === undefined
        ? []
        : [...orderFlaws(tool, text), ...steeringFlaws(tool, text, names)];
    });
  },
};

function orderFlaws({ name }: LintedTool, text: string): Flaw[] {
  const given = ORDERS.filter(({ patterns }) => patterns.some((pattern) => pattern.test(text)));
  return given.map(({ what, severity }) => ({
    tool: name,
    severity,
    message: what,
    fix: 'Say what the tool does, needs and returns, and leave out what the model should do.',
  }));
}

function steeringFlaws({ name }: LintedTool, text: string, names: ReadonlySet<string>): Flaw[] {
  const own = new Set(writtenNames(name));
  const steered = [...text.matchAll(COMMANDED)]
    .flatMap(([, behind = '']) => behind.match(/\w[\w./:-]*\w/g) ?? [])
    .filter((word) => names.has(word) && !own.has(word));
  if (steered.length === 0) return [];
  return [
    {
      tool: name,
      severity: 'warning',
      message: `Tells the model how to use ${[...new Set(steered)].toSorted().join(', ')}.`,
      fix: 'Describe this tool alone; guidance across tools belongs in the server instructions.',
    },
  ];
}

/** How texts name a tool: in full or without its server. A plain word such as `search` is no name. */
function writtenNames(name: string): string[] {
  return [name, segmentsOf(name).at(-1) ?? ''].filter((each) => /[_./:-]|\p{Ll}\p{Lu}/u.test(each));
}
