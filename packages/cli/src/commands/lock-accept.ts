/** `callsign lock accept`: accepts the current definitions of a server's tools. */

import { writeAdvice } from '@callsign/config';
import { judgedItems, judgedKind } from '@callsign/governance';
import { counted } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { judgedIn, sayIfOff, toolOf, withLock, type JudgedTool } from '../governed/lock-file.js';
import { offeredTools } from '../governed/offered-tools.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description(
        'Starts a server and accepts its tools as they are now: all of them, or one. ' +
          'Running gateways see it at once. To see the changes first: callsign lock diff SERVER',
      )
      .argument('<server>', 'its key in the configuration')
      .argument('[tool]', 'only this tool, by the name that the server gives it');
  },

  async run(context, { words: [server = '', tool] }) {
    const { json, out, say } = context;
    const config = await requireConfig(context);
    const { file, changes } = await withLock(context, config, async (lock) => {
      const offered = await offeredTools(context, config, server);
      const items = offered.flatMap((each) => judgedItems(each));
      const judged = offered.flatMap((each) => judgedIn(lock, each));
      const meant = judged.filter((each) => tool === undefined || each.tool === tool);
      if (tool !== undefined && meant.length === 0) throw unknownTool(server, tool);
      await lock.accept(server, items, tool).catch((error: Error) => {
        throw cannotWrite(lock.file, error);
      });
      return {
        file: lock.file,
        changes: meant.filter(({ standing }) => standing.is !== 'accepted'),
      };
    });
    if (json) {
      const accepted = changes.map(({ tool: name, standing }) => ({
        tool: toolOf(name),
        was: standing.is,
      }));
      out.json({ file, server, accepted });
      return EXIT.ok;
    }
    say(`${sentence(server, changes)} Written to ${file}.`);
    sayIfOff(config, context);
    return EXIT.ok;
  },
};

function sentence(server: string, changes: readonly JudgedTool[]): string {
  if (changes.length === 0) return `Every tool of "${server}" is already accepted as it is now.`;
  const parts = (['new', 'changed', 'gone'] as const).flatMap((word) => {
    const count = changes.filter(({ standing }) => standing.is === word).length;
    return count === 0 ? [] : `${count} ${word}`;
  });
  const what = (['tool', 'prompt', 'template', 'instructions'] as const).flatMap((kind) => {
    const count = changes.filter(({ tool }) => judgedKind(tool) === kind).length;
    if (count === 0) return [];
    return kind === 'instructions' ? 'the instructions' : counted(count, kind);
  });
  return `Accepted ${what.join(' and ')} of "${server}": ${parts.join(', ')}.`;
}

function unknownTool(server: string, tool: string): Failure {
  const message = `"${server}" has no tool "${tool}" and never had one. To see all: callsign lock status ${server}`;
  return new Failure({ exit: EXIT.usage, code: 'unknown-tool', message });
}

function cannotWrite(file: string, { message: why, code }: NodeJS.ErrnoException): Failure {
  const message = `Cannot write ${file}: ${why}. To correct this, ${writeAdvice(code)}.`;
  return new Failure({ exit: EXIT.usage, code: 'cannot-write', message });
}
