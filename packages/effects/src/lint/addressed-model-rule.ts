/** The rule that texts of a tool give the model no orders. The phrases are in orders.ts. */

import type { Flaw } from '@callsign/naming';

import { ordersIn } from './orders.js';
import { plainText } from './plain-text.js';
import type { AnnotationRule, LintedTool } from './rule.js';
import { namesOf, steeredTools, type ToolNames } from './steered-tools.js';
import { textsOf, type ToolText } from './tool-texts.js';

/** One word without brackets, as most strings of a schema are. Such a string is never an order. */
const SINGLE_WORD = /^[!-;=-Z\\-~]*$/;

export const descriptionAddressesModel: AnnotationRule = {
  id: 'description-addresses-model',
  severity: 'error',
  summary: 'A text of the tool gives the model orders instead of describing the tool.',
  why: 'A description goes to the model unchanged, so a tool can take control of others unseen.',
  check(tools) {
    const names = namesOf(tools);
    return tools.flatMap((tool) => {
      const own = namesOf([tool]);
      const { texts, unread } = textsOf(tool);
      const flaws = texts.flatMap((text) => flawsIn(text, tool, names, own));
      return unread === undefined ? flaws : [...flaws, unreadFlaw(tool, unread)];
    });
  },
};

function flawsIn(
  { path, text }: ToolText,
  { name: tool }: LintedTool,
  names: ToolNames,
  own: ToolNames,
): Flaw[] {
  if (SINGLE_WORD.test(text)) return [];
  const plain = plainText(text);
  const orders = ordersIn(text, plain);
  // A tool that is checked by itself knows no other names.
  const steered = names.size > own.size ? steeredTools(plain, names, own) : [];
  // One unclear phrase may be harmless. Two of different kinds in one text rarely are.
  const isSure = orders.length + Math.min(steered.length, 1) > 1;

  const flaws = orders.map(({ does, isClear }): Flaw => ({
    tool,
    severity: isClear || isSure ? 'error' : 'warning',
    message: `Its ${path} ${does}.`,
    fix: 'Say what the tool does, needs and returns, and leave out what the model should do.',
  }));
  if (steered.length === 0) return flaws;
  const steering: Flaw = {
    tool,
    severity: isSure ? 'error' : 'warning',
    message: `Its ${path} tells the model how to use ${steered.join(', ')}.`,
    fix: 'Describe this tool alone; guidance across tools belongs in the server instructions.',
  };
  return [...flaws, steering];
}

function unreadFlaw({ name: tool }: LintedTool, path: string): Flaw {
  return {
    tool,
    severity: 'warning',
    message: `Is too large to be read whole: ${path} and everything after it was not read.`,
    fix: 'Make the schema smaller; a model has to read all of it as well.',
  };
}
