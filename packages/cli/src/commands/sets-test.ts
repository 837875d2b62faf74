/** `callsign sets test`: says whether a tool is in a set, and why. */

import { toolTokens } from '@callsign/core';
import { judgeSet, type SetVerdict } from '@callsign/governance';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { findTool, unknownTool } from '../fleet/find-tool.js';
import { offeredTools, requireSet, type SetsOptions } from '../governed/tool-sets.js';

const NOT_OFFERED: SetVerdict = { isIn: false, because: 'callsign.tools does not offer it' };

export const command: CommandModule<SetsOptions> = {
  describe(line) {
    line
      .description(
        'Says whether a tool is in a set, and why. Calls nothing. Exits with 7 if it is not.',
      )
      .argument('<name>', 'the name of the set')
      .argument('<tool>', 'any of its names: server:tool, or as a client shows it')
      .option('--refresh', 'start the servers instead of using remembered tools');
  },

  async run(context, { words: [name = '', spelling = ''], options }) {
    const { json, out } = context;
    const set = await requireSet(context, name);
    const { fleet, tools } = await offeredTools(context, options);
    const entry = findTool(fleet, spelling);
    if (!entry) throw unknownTool(fleet, spelling);
    const { canonical, risk, item } = entry;
    const tokens = toolTokens(item);
    const isOffered = tools.some((each) => each.canonical === canonical);
    const { isIn, because } = isOffered ? judgeSet(set, entry) : NOT_OFFERED;
    if (json) out.json({ set: name, tool: canonical, risk, isIn, because, tokens });
    else {
      const { paint } = out;
      out.lines(
        `${paint('name', onOneLine(canonical))} (${paint(risk, risk)}), about ${tokens.toLocaleString('en')} tokens`,
        `${isIn ? paint('good', 'in the set') : paint('bad', 'not in the set')} ${name}: ${onOneLine(because)}`,
      );
    }
    return isIn ? EXIT.ok : EXIT.denied;
  },
};
