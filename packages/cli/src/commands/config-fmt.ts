/** `callsign config fmt`: formats the configuration. Comments and order stay. */

import { applyEdits, format } from 'jsonc-parser';

import { documentIn, requireText, writeConfig, type CommandModule } from '@callsign/command';
import { EXIT } from '@callsign/command/exit-code';

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

  async run({ file, json, out, say }, { options: { check } }) {
    const before = requireText(file);
    documentIn(before, file);
    const after = applyEdits(before, format(before, undefined, LAYOUT));
    const isChanged = after !== before;
    if (isChanged && !check) writeConfig(file, after);
    if (json) out.json({ file, changed: isChanged });
    else if (check) say(isChanged ? `${file} is not formatted.` : `${file} is formatted.`);
    else say(isChanged ? `Formatted ${file}.` : `${file} is already formatted.`);
    return isChanged && check ? EXIT.usage : EXIT.ok;
  },
};
