/** `callsign adapter init`: writes a minimal adapter to start from. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { minimalAdapter } from '@callsign/mcpaql/authoring';
import { askText } from '@callsign/terminal';

import { replaceText } from '../clients/files/text-file.js';
import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';

interface InitOptions {
  readonly name?: string;
  readonly displayName?: string;
  readonly baseUrl?: string;
  readonly out?: string;
}

export const command: CommandModule<InitOptions> = {
  describe(line) {
    line
      .description(
        'Writes a minimal adapter for an HTTP API, with one operation to start from. Asks for values that are not given.',
      )
      .option('--name <name>', "the adapter's name, such as apple-mail")
      .option('--display-name <text>', 'its display name')
      .option('--base-url <url>', 'the address of the API')
      .option('--out <file>', 'the file to write (default: NAME.adapter.md)');
  },

  async run(context, { options }) {
    const { json, out, say, isInteractive } = context;
    const given = async (value: string | undefined, flag: string, question: string) => {
      if (value !== undefined) return value;
      if (!isInteractive || json) throw usageFailure(`Give ${flag}, or use a terminal.`);
      return askText(question, (text) => (text.trim() === '' ? 'Type something.' : undefined));
    };
    const name = await given(options.name, '--name', 'Name of the adapter, such as apple-mail');
    const baseUrl = await given(
      options.baseUrl,
      '--base-url',
      'Address of the API, such as https://api.example/v1',
    );
    const { displayName } = options;
    const made = minimalAdapter({
      name,
      baseUrl,
      ...(displayName === undefined ? {} : { displayName }),
    });
    if (!made.ok) {
      const message = 'These values do not make a valid adapter.';
      throw new Failure({
        exit: EXIT.usage,
        code: 'invalid-adapter',
        message,
        problems: made.problems,
      });
    }
    const file = resolve(context.cwd, options.out ?? `${name}.adapter.md`);
    if (existsSync(file))
      throw usageFailure(`${file} already exists. Choose another file with --out.`);
    replaceText(file, made.text);
    if (json) out.json({ file, name });
    else say(`Wrote ${file}. Next: callsign adapter serve ${file}`);
    return EXIT.ok;
  },
};
