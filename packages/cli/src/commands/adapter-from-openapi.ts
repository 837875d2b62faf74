/** `callsign adapter from-openapi`: creates an adapter from an OpenAPI document. */

import { adapterFromOpenApi, apiTags, type Selection } from '@callsign/mcpaql/authoring';
import { askSomeOfMany } from '@callsign/terminal';

import { readApiDocument } from '../adapter/api-document.js';
import { finishImport, previousIn, type ImportWords } from '../adapter/imported-adapter.js';
import type { CommandModule, Context } from '../command/command.js';
import { withProgress } from '../command/with-progress.js';

interface OpenApiOptions extends ImportWords {
  readonly tag?: readonly string[];
  readonly path?: readonly string[];
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly baseUrl?: string;
  readonly refs?: true;
}

export const command: CommandModule<OpenApiOptions> = {
  describe(line) {
    line
      .description(
        'Creates an adapter from an OpenAPI document, 2.0 to 3.2. Guesses are marked for review. ' +
          'A second import into the same file keeps your changes.',
      )
      .argument('<source>', 'a file or an address')
      .option('--out <file>', 'the file to write (default: standard output)')
      .option('--name <name>', "the adapter's name")
      .option('--display-name <text>', 'its display name, for the titles of its tools')
      .option('--tag <tags...>', 'only operations with one of these tags; * matches any text')
      .option('--path <paths...>', 'only operations at or below one of these paths')
      .option('--only <names...>', 'only these operations, by operationId, name or "GET /path"')
      .option('--exclude <words...>', 'leave out these operations, tags or paths')
      .option('--base-url <url>', 'the address of the API, instead of the one in the document')
      .option('--refs', 'also fetch the documents that it refers to')
      .option('--dry-run', 'show the adapter and write nothing');
  },

  async run(context, { words: [source = ''], options }) {
    const { name, baseUrl, refs, displayName } = options;
    const { text, url, references } = await withProgress(context, 'Reading the document', () =>
      readApiDocument(source, { refs }, context),
    );
    const result = adapterFromOpenApi(text, {
      selection: await selectionOf(context, text, options),
      ...(displayName === undefined ? {} : { displayName }),
      ...previousIn(context, options),
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

/** For an API with more operations, a person is asked which tags to import, unless flags say it. */
const ASKED_ABOVE = 200;

async function selectionOf(
  { isInteractive, json }: Context,
  text: string,
  { tag: tags, path: paths, only, exclude }: OpenApiOptions,
): Promise<Selection> {
  const given = {
    ...(tags ? { tags } : {}),
    ...(paths ? { paths } : {}),
    ...(only ? { only } : {}),
    ...(exclude ? { exclude } : {}),
  };
  if (Object.keys(given).length > 0 || !isInteractive || json) return given;
  const { operations, tags: counts } = apiTags(text);
  if (operations <= ASKED_ABOVE || counts.size < 2) return given;
  const choices = Array.from(counts, ([value, count]) => ({ value, label: `${value} (${count})` }));
  const question = `It has ${operations} operations. Which tags? (none: all of them)`;
  const chosen = await askSomeOfMany(question, choices);
  return chosen.length === 0 ? given : { tags: chosen };
}
