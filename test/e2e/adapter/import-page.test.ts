/** `docs/import-an-api.md`, followed word for word with an API of tides. Only the names of the example are replaced. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { answerJson, startTarget } from '../../adapters/target.js';
import { ROOT } from '../../architecture/tree.js';
import { BIN } from '../command.js';
import { Home } from '../cli/callsign.js';

const TOKEN = 'tide-token-51c2';

/** Written as a person would, in YAML: a list, a reading that needs a place, and a change. */
const DOCUMENT = (origin: string): string => `openapi: 3.0.3
info: { title: Tides, version: '2', description: Heights of the sea. }
servers: [{ url: '${origin}/v2' }]
security: [{ token: [] }]
paths:
  /tides:
    get:
      operationId: listTides
      summary: List the tides of today
      parameters:
        - { name: place, in: query, schema: { type: string } }
      responses: { '200': { $ref: '#/components/responses/Tides' } }
    post:
      operationId: addTide
      summary: Add a tide
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Tide' } } }
      responses: { '201': { description: Added } }
  /places/{code}:
    get:
      operationId: getPlace
      summary: Get a place
      parameters:
        - { name: code, in: path, required: true, schema: { type: string }, example: OSL }
        - { name: region, in: query, schema: { type: string } }
      responses: { '200': { description: A place } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  responses:
    Tides:
      description: Tides
      content:
        application/json:
          schema: { type: array, items: { $ref: '#/components/schemas/Tide' } }
  schemas:
    Tide:
      type: object
      required: [metres]
      properties: { metres: { type: number }, at: { type: string, format: date-time } }
`;

/** The words of the commands in the block of code with this text, under the names of this API. */
function commandsWith(text: string): string[][] {
  const page = readFileSync(join(ROOT, 'docs', 'import-an-api.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block]) => block!);
  const block = blocks.find((each) => each.includes(text));
  expect(block, text).toBeDefined();
  const ours = block!
    .replaceAll('harbour', 'tides')
    .replaceAll('HARBOUR', 'TIDES')
    .replaceAll('list_ships', 'list_tides')
    .replaceAll('shop', 'tides')
    .replaceAll('get_order', 'get_place')
    .replaceAll('"order_id": 7', '"code": "BGO"')
    .replaceAll('…', TOKEN);
  return ours
    .trim()
    .split('\n')
    .map((line) => Array.from(line.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word));
}

it('an API is imported, reviewed, called, tried and added as the page says', async () => {
  const target = await startTarget(({ url, headers }, response) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) answerJson(response, { error: 'Who?' }, 401);
    else if (url.startsWith('/v2/tides')) answerJson(response, [{ metres: 1.25 }]);
    else answerJson(response, { code: 'OSL' });
  });
  const home = new Home();
  home.write('work/openapi.yaml', DOCUMENT(target.origin));

  const [imported, review, call] = commandsWith('adapter from-openapi openapi.yaml --out');
  expect(await home.run(imported!.slice(1))).toMatchObject({ code: 0 });
  expect(target.asked).toEqual([]);

  const terminal = home.terminal(review!.slice(1));
  await terminal.shows(/CALLSIGN_TIDES_TOKEN/);
  await terminal.shows(/Accept the target/);
  terminal.type('\r');
  expect(await terminal.ended).toBe(0);

  const [variable, command, ...words] = call!;
  expect([variable, command]).toEqual([`CALLSIGN_TIDES_TOKEN=${TOKEN}`, 'callsign']);
  const env = { CALLSIGN_TIDES_TOKEN: TOKEN };
  expect(await home.run(words, { env })).toEqual({
    code: 0,
    stdout: '[{"metres":1.25}]\n',
    stderr: '',
  });

  const [tried, triedWith] = commandsWith('adapter test');
  const report = await home.run(tried!.slice(1), { env });
  expect(report).toMatchObject({ code: 0, stderr: '2 passed, 0 failed, 1 skipped.\n' });

  const before = target.asked.length;
  const one = await home.run(triedWith!.slice(1), { env });
  expect(one).toMatchObject({ code: 0, stderr: '1 passed, 0 failed, 0 skipped.\n' });
  expect(target.asked.slice(before).map(({ url }) => url)).toEqual(['/v2/places/BGO?region=eu']);

  // The command of a clone, as the page says, and the file where it is here.
  const [add] = commandsWith('callsign add');
  const file = join(home.work, 'tides.adapter.md');
  const served = add!.slice(1).flatMap((word) => {
    if (word === 'callsign') return [process.execPath, BIN];
    return word.endsWith('.adapter.md') ? [file] : [word];
  });
  expect(await home.run(served)).toMatchObject({ code: 0 });
  const asked = ['call', 'tides:tides_mcpaql_read', 'operation=list_tides'];
  const answer = await home.run(asked);
  expect(answer, answer.stderr).toMatchObject({ code: 0 });
  expect(answer.stdout).toContain('1.25');
  expect(`${report.stdout}${answer.stdout}`).not.toContain(TOKEN);
  expect(target.asked.every(({ method }) => method === 'GET')).toBe(true);
});
