/** `callsign adapter from-openapi`: makes an adapter of an OpenAPI document. */

import { adapterFromOpenApi } from '@callsign/mcpaql-authoring';

import { readApiDocument } from '../adapter/api-document.js';
import { finishImport, previousIn, type ImportWords } from '../adapter/imported-adapter.js';
import type { CommandModule } from '../command/command.js';

interface OpenApiOptions extends ImportWords {
  readonly baseUrl?: string;
  readonly refs?: true;
}

export const command: CommandModule<OpenApiOptions> = {
  describe(line) {
    line
      .description(
        'Makes an adapter of an OpenAPI document, 2.0 to 3.1. What is guessed is marked for review; ' +
          'a second import into the same file keeps what people wrote there.',
      )
      .argument('<source>', 'a file or an address')
      .option('--out <file>', 'where to write it; standard output if absent')
      .option('--name <name>', "the adapter's name")
      .option('--base-url <url>', 'where the API is, in place of what the document says')
      .option('--refs', 'fetch other documents that it refers to')
      .option('--dry-run', 'write nothing, and show the adapter');
  },

  async run(context, { words: [source = ''], options }) {
    const { name, baseUrl, refs } = options;
    const progress = context.wait('Reading the document');
    const read = readApiDocument(source, { refs }).finally(() => progress.end());
    const { text, url, references } = await read;
    const result = adapterFromOpenApi(text, {
      ...previousIn(options),
      ...(name === undefined ? {} : { name }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(url === undefined ? {} : { url }),
      ...(references ? { documents: references.documents } : {}),
    });
    const { report } = result;
    const findings = [...(references?.findings ?? []), ...report.findings];
    return finishImport(context, { ...result, report: { ...report, findings } }, options);
  },
};
