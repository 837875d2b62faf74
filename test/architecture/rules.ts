/** The rules of the source tree. Each takes the tree as data and returns one sentence for each violation. */

import { builtinModules } from 'node:module';

import { target, type SourceTree, type Package, type SourceFile } from './tree.js';

/** From the lowest layer up. A package imports from lower layers only, never from its own. */
export const LAYERS: readonly (readonly string[])[] = [
  ['lint'],
  ['naming', 'annotations', 'secrets', 'terminal'],
  ['core', 'config', 'outbound', 'search'],
  ['rpc', 'instances'],
  ['extensions'],
  ['wire', 'mcpaql', 'toolkit'],
  ['governance', 'audit', 'auth', 'clients', 'lightdash', 'mcpaql-authoring', 'peers'],
  ['postgres', 'telemetry'],
  ['gateway'],
  ['admin'],
  ['command'],
  ['setup', 'fleet', 'records'],
  ['cli', 'console'],
];

/**
 * The folders of a package, from the lowest layer up. A folder imports from folders of lower layers only;
 * files at the root of a package may import from all folders, and no folder imports from them.
 * One line per package adds it to the check.
 */
const FOLDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  lint: [],
  naming: [['words'], ['identity'], ['pattern'], ['profile'], ['render'], ['table'], ['lint']],
  annotations: [['hints'], ['words'], ['inference'], ['label', 'endpoint'], ['lint']],
  secrets: [['names'], ['text'], ['json']],
  terminal: [['text'], ['output', 'prompt']],
  core: [['json', 'text'], ['redact', 'call'], ['source'], ['hub']],
  config: [['document', 'fields', 'files']],
  outbound: [['address'], ['fetch']],
  search: [['words'], ['rank']],
  rpc: [['stream'], ['message', 'child'], ['http', 'http-server']],
  extensions: [
    ['capabilities', 'request'],
    ['tasks', 'skills'],
  ],
  instances: [['directory', 'keys', 'leases', 'news', 'storage']],
  wire: [['upstream', 'downstream']],
  toolkit: [['label', 'server'], ['interceptors'], ['register'], ['lint']],
  mcpaql: [
    ['adapter'],
    ['protocol', 'endpoints'],
    ['introspect', 'execute'],
    ['dispatch'],
    ['source', 'view', 'runtime'],
  ],
  governance: [['limits', 'lock', 'policy', 'roles'], ['gate']],
  audit: [['record'], ['journal'], ['store'], ['upkeep'], ['query', 'modules']],
  auth: [['network'], ['callers'], ['sign-in']],
  peers: [['keys'], ['network'], ['homes', 'places'], ['instance']],
  postgres: [
    ['schema'],
    ['database'],
    ['instances', 'audit', 'documents'],
    ['auth', 'governance', 'tasks'],
  ],
  telemetry: [['metrics', 'trace', 'log']],
  clients: [['apps'], ['files'], ['install', 'import']],
  lightdash: [['client'], ['sandbox', 'tools'], ['server'], ['cli']],
  'mcpaql-authoring': [['spec'], ['imported'], ['openapi', 'from-mcp', 'generate', 'conform']],
  gateway: [
    ['imports'],
    ['config'],
    ['auth', 'servers', 'clients', 'modules'],
    ['instance'],
    ['storage'],
    ['gateway'],
  ],
  admin: [['data'], ['router'], ['socket', 'tool'], ['routes'], ['console']],
  command: [['command'], ['config-file']],
  records: [['log'], ['commands']],
  setup: [['servers', 'keys'], ['installs'], ['commands']],
  fleet: [['fleet'], ['doctor']],
  cli: [
    ['command'],
    ['config-file', 'console', 'first-word'],
    ['serve', 'governed', 'call'],
    ['adapter', 'lint'],
    ['completion'],
    ['commands'],
    ['run'],
  ],
  console: [['live'], ['view'], ['tool', 'audit', 'server', 'instance'], ['screens']],
};
/** How many source files may be at the root of such a package. */
const MAX_ROOT_FILES = 3;

/** Packages without input or output: no Node, no dependencies, so that they run in a browser too. */
const PURE = ['lint', 'naming', 'annotations', 'secrets', 'core', 'search'];
const MAX_LINES = 300;
/** A package with more lines of source, not counting tests, should be split. */
const MAX_PACKAGE_LINES = 8_000;
const BANNED_NAMES = /^(utils?|helpers?|common|shared|manager|service|misc)$/;

export const RULES: Readonly<Record<string, (tree: SourceTree) => string[]>> = {
  'every package has a layer': ({ packages }) =>
    packages
      .filter(({ name }) => layerOf(LAYERS, name) === -1)
      .map(({ name }) => `${name} has no layer`),

  'packages import from lower layers only': ({ packages }) =>
    eachImport(packages, (pkg, file, specifier) => {
      const other = ownPackage(specifier);
      if (other === undefined || layerOf(LAYERS, other) < layerOf(LAYERS, pkg.name))
        return undefined;
      return `${file.path} imports ${specifier}, which is not below ${pkg.name}`;
    }),

  'packages are imported by their exports': ({ packages }) =>
    eachImport(packages, (_, file, specifier) => {
      if (/^@callsign\/[^/]+\/src/.test(specifier)) return `${file.path} imports ${specifier}`;
      if (!specifier.startsWith('.')) return undefined;
      const path = target(file, specifier);
      const isOwn = path.startsWith(file.path.split('/').slice(0, 2).join('/') + '/');
      const isTestCode = file.isTest && path.startsWith('test/');
      return isOwn || isTestCode ? undefined : `${file.path} reaches into ${path}`;
    }),

  'there are no import cycles': ({ packages }) => packages.flatMap(({ files }) => cyclesIn(files)),

  'folders import from lower folders only': ({ packages }) =>
    eachImport(packages, (pkg, file, specifier) => {
      const layers = FOLDERS[pkg.name];
      if (!layers || file.isTest || !specifier.startsWith('.')) return undefined;
      const [from, to] = [folderOf(file.path), folderOf(target(file, specifier))];
      if (from === undefined || from === to) return undefined;
      if (to !== undefined && layerOf(layers, to) < layerOf(layers, from)) return undefined;
      return `${file.path} imports ${specifier}, which is not below ${from}`;
    }),

  'every folder has a layer, and few files have no folder': ({ packages }) =>
    packages.flatMap(({ name, files }) => {
      const layers = FOLDERS[name];
      if (!layers) return [];
      const sources = files.filter(({ isTest }) => !isTest);
      const folders = new Set(sources.map(({ path }) => folderOf(path)));
      const atRoot = sources.filter(({ path }) => folderOf(path) === undefined);
      return [
        ...[...folders]
          .filter((folder) => folder !== undefined && layerOf(layers, folder) === -1)
          .map((folder) => `packages/${name}/src/${folder} has no layer`),
        ...(atRoot.length > MAX_ROOT_FILES ? [`packages/${name}/src has too many files`] : []),
      ];
    }),

  'every dependency is declared': ({ packages, devDependencies }) =>
    eachImport(packages, (pkg, file, specifier) => {
      const name = packageOf(specifier);
      if (name === undefined || pkg.dependencies.includes(name)) return undefined;
      if (file.isTest && (devDependencies.includes(name) || name.startsWith('@callsign/'))) {
        return undefined;
      }
      return `${file.path} imports ${name}, which packages/${pkg.name}/package.json does not list`;
    }),

  'pure packages have no dependencies': ({ packages }) =>
    packages
      .filter(({ name }) => PURE.includes(name))
      .flatMap(({ name, dependencies, files }) => [
        ...dependencies
          .filter((dependency) => !dependency.startsWith('@callsign/'))
          .map((dependency) => `${name} depends on ${dependency}`),
        ...files
          .filter(({ isTest }) => !isTest)
          .flatMap(({ path, imports }) =>
            imports.filter(isNode).map((specifier) => `${path} imports ${specifier}`),
          ),
      ]),

  'the build knows every package and its dependencies': ({ packages, built }) =>
    packages.flatMap(({ name, dependencies, references, isApp }) => {
      if (isApp) return [];
      const below = dependencies.map(ownPackage).filter((other) => other !== undefined);
      const forgotten = below.filter((other) => !references.includes(other));
      return [
        ...(built.includes(name) ? [] : [`tsconfig.json does not build ${name}`]),
        ...forgotten.map((other) => `packages/${name}/tsconfig.json does not reference ${other}`),
      ];
    }),

  'no package is past 8,000 lines': ({ packages }) =>
    packages.flatMap(({ name, files }) => {
      const sources = files.filter(({ isTest }) => !isTest);
      const total = sources.reduce((sum, { lines }) => sum + lines, 0);
      return total > MAX_PACKAGE_LINES ? [`${name} has ${total} lines`] : [];
    }),

  'no source file is past 300 lines': ({ packages }) =>
    packages
      .flatMap(({ files }) => files)
      .filter(({ isTest, lines }) => !isTest && lines > MAX_LINES)
      .map(({ path, lines }) => `${path} has ${lines} lines; the limit is ${MAX_LINES}`),

  'files have meaningful names in kebab-case': ({ packages }) =>
    packages
      .flatMap(({ files }) => files)
      .flatMap(({ path }) => {
        const words = path
          .replace(/^(packages|apps)\/[^/]+\/src\//, '')
          .replace(/(\.test)?\.tsx?$/, '')
          .split('/');
        const wrong = words.filter(
          (word) => BANNED_NAMES.test(word) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(word),
        );
        return wrong.map((word) => `${path}: "${word}" means nothing, or is not kebab-case`);
      }),
};

function eachImport(
  packages: readonly Package[],
  judge: (pkg: Package, file: SourceFile, specifier: string) => string | undefined,
): string[] {
  return packages.flatMap((pkg) =>
    pkg.files.flatMap((file) =>
      file.imports.flatMap((specifier) => judge(pkg, file, specifier) ?? []),
    ),
  );
}

/** The first folder below `src`, or `undefined` for a file at the root of its package. */
function folderOf(path: string): string | undefined {
  return /^(?:packages|apps)\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1];
}

function layerOf(layers: readonly (readonly string[])[], name: string): number {
  return layers.findIndex((layer) => layer.includes(name));
}

function ownPackage(specifier: string): string | undefined {
  return /^@callsign\/([^/]+)/.exec(specifier)?.[1];
}

function isNode(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

/** The npm package of a bare import. `undefined` for relative imports and for Node's own modules. */
function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || isNode(specifier)) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function cyclesIn(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: SourceFile, trail: readonly string[]): void => {
    if (trail.includes(file.path)) {
      cycles.push([...trail.slice(trail.indexOf(file.path)), file.path].join(' → '));
      return;
    }
    if (finished.has(file.path)) return;
    for (const specifier of file.imports) {
      const next = specifier.startsWith('.') ? byPath.get(target(file, specifier)) : undefined;
      if (next) visit(next, [...trail, file.path]);
    }
    finished.add(file.path);
  };
  for (const file of files) visit(file, []);
  return cycles;
}
