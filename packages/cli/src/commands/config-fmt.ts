/** `callsign config fmt`: formats the configuration. Comments and order stay. */

import { applyEdits, format } from 'jsonc-parser';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { documentIn, editConfig, requireText } from '../config-file/config-text.js';

interface FormatOptions {
  readonly check?: true;
}

const LAYOUT = { insertSpaces: true, tabSize: 2, eol: '\n', insertFinalNewline: true };

export const command: CommandModule<FormatOptions> = {
  describe(line) {
    line
      .description('Formats the configuration with two spaces of indentation. Comments stay.')
      .option('--check', 'change nothing; exit with 1 if the file would change');
  },

  async run(context, { options: { check } }) {
    const { file, json, out, say } = context;
    const formatted = (text: string): string => {
      documentIn(text, file);
      return applyEdits(text, format(text, undefined, LAYOUT));
    };
    const before = requireText(file);
    const isChanged = check ? formatted(before) !== before : await editConfig(context, formatted);
    if (json) out.json({ file, changed: isChanged });
    else if (check) say(isChanged ? `${file} is not formatted.` : `${file} is formatted.`);
    else say(isChanged ? `Formatted ${file}.` : `${file} is already formatted.`);
    return isChanged && check ? EXIT.usage : EXIT.ok;
  },
};
