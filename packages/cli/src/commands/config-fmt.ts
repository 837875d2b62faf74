/** `callsign config fmt`: the configuration in one layout. Comments and order stay. */

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
      .description('Lays out the configuration: two spaces, one line each. Comments stay.')
      .option('--check', 'change nothing; exit 1 if it would change');
  },

  async run({ file, json, out, say }, { options: { check } }) {
    const before = requireText(file);
    documentIn(before, file);
    const after = applyEdits(before, format(before, undefined, LAYOUT));
    const isChanged = after !== before;
    if (isChanged && !check) writeConfig(file, after);
    if (json) out.json({ file, changed: isChanged });
    else if (check) say(isChanged ? `${file} is not laid out.` : `${file} is laid out.`);
    else say(isChanged ? `Laid out ${file}.` : `${file} was laid out already.`);
    return isChanged && check ? EXIT.usage : EXIT.ok;
  },
};
