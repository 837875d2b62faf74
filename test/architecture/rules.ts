/** The rules of the source tree. Each takes the tree as data and returns one sentence for each violation. */

import { builtinModules } from 'node:module';

import { target, type SourceTree, type Package, type SourceFile } from './tree.js';

/** From the lowest layer up. A package imports from lower layers only, never from its own. */
export const LAYERS: readonly (readonly string[])[] = [
  ['naming', 'terminal', 'outbound'],
  ['effects'],
  ['core'],
  ['config', 'toolkit'],
  ['wire', 'lightdash'],
  ['governance', 'audit', 'auth', 'mcpaql'],
  ['instances'],
  ['gateway'],
  ['cli', 'console'],
];

/**
 * The folders of a package or of one of its folders, from the lowest layer up. A folder imports from folders of lower
 * layers only. Files beside the folders may import from all of them, and no folder imports from these files.
 */
const FOLDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  naming: [['words'], ['identity'], ['pattern'], ['profile'], ['render'], ['table'], ['lint']],
  effects: [['hints'], ['judge'], ['label', 'endpoint'], ['lint']],
  terminal: [['text'], ['output', 'prompt']],
  core: [['json', 'text', 'secrets', 'search'], ['redact', 'call'], ['source', 'tokens'], ['hub']],
  'core/secrets': [['names'], ['text'], ['json']],
  'core/search': [['words'], ['rank']],
  config: [['document', 'fields', 'files']],
  outbound: [['address'], ['client']],
  wire: [['rpc'], ['extensions'], ['upstream', 'downstream']],
  'wire/rpc': [['stream', 'fast'], ['message', 'child'], ['http']],
  'wire/extensions': [
    ['capabilities', 'request'],
    ['tasks', 'skills'],
  ],
  toolkit: [['label', 'server'], ['interceptors'], ['register'], ['lint']],
  mcpaql: [
    ['adapter'],
    ['protocol', 'endpoints'],
    ['introspect', 'execute'],
    ['dispatch'],
    ['source', 'view', 'runtime'],
    ['authoring'],
  ],
  'mcpaql/authoring': [['spec'], ['imported'], ['openapi', 'from-mcp', 'generate', 'conform']],
  governance: [['limits', 'lock', 'policy', 'reach'], ['sets'], ['roles'], ['gate']],
  audit: [['record'], ['journal'], ['store'], ['upkeep'], ['query', 'modules']],
  auth: [['network'], ['callers'], ['sign-in'], ['accounts'], ['authorization']],
  instances: [
    ['directory', 'keys', 'leases', 'news', 'storage'],
    ['peers', 'postgres'],
  ],
  'instances/peers': [['keys'], ['network'], ['places', 'routing'], ['instance']],
  'instances/postgres': [
    ['schema'],
    ['database'],
    ['instances', 'audit', 'documents'],
    ['auth', 'governance', 'tasks'],
  ],
  lightdash: [['client'], ['sandbox', 'tools'], ['server'], ['cli']],
  gateway: [
    ['telemetry', 'secrets'],
    ['config'],
    ['scripts'],
    ['auth', 'clients', 'modules', 'own-tools', 'sandbox'],
    ['results', 'servers'],
    ['instance'],
    ['storage'],
    ['gateway'],
    ['admin'],
  ],
  'gateway/scripts': [['program'], ['run'], ['tools']],
  'gateway/telemetry': [['error'], ['metrics', 'trace', 'log']],
  'gateway/admin': [['data'], ['router'], ['socket', 'tool'], ['routes'], ['console']],
  cli: [
    ['clients'],
    ['command'],
    ['config-file', 'console'],
    ['fleet'],
    ['connect'],
    ['doctor', 'setup', 'audit'],
    ['serve', 'governed', 'call', 'observed'],
    ['adapter', 'lint', 'registry'],
    ['completion'],
    ['commands'],
    ['run'],
  ],
  'cli/clients': [['apps'], ['files'], ['install', 'import']],
  console: [['live'], ['view'], ['tool', 'audit', 'server', 'instance'], ['screens']],
};
/** How many source files may be at the root of such a package. */
const MAX_ROOT_FILES = 3;

/** Packages without input or output: nothing of Node but hashing, and no dependencies. */
const PURE = ['naming', 'effects', 'core'];
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
    eachImport(packages, (_, file, specifier) => {
      if (file.isTest || !specifier.startsWith('.')) return undefined;
      const { parent, from, to } = parting(file.path, target(file, specifier));
      const layers = FOLDERS[parent];
      if (!layers || from === undefined) return undefined;
      if (to !== undefined && layerOf(layers, to) < layerOf(layers, from)) return undefined;
      return `${file.path} imports ${specifier}, which is not below ${parent}/${from}`;
    }),

  'every folder has a layer, and few files have no folder': ({ packages }) =>
    packages.flatMap(({ files }) => {
      const sources = files.filter(({ isTest }) => !isTest).map(({ path }) => inPackage(path));
      return Object.entries(FOLDERS).flatMap(([parent, layers]) => {
        const below = sources
          .filter((path) => path.startsWith(`${parent}/`))
          .map((path) => path.slice(parent.length + 1).split('/'));
        const folders = new Set(below.filter(({ length }) => length > 1).map(([name]) => name!));
        const missing = [...folders].filter((name) => layerOf(layers, name) === -1);
        const beside = below.filter(({ length }) => length === 1).length;
        return [
          ...missing.map((name) => `${parent}/${name} has no layer`),
          ...(beside > MAX_ROOT_FILES ? [`${parent} has too many files`] : []),
        ];
      });
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
            imports
              .filter((specifier) => isNode(specifier) && specifier !== 'node:crypto')
              .map((specifier) => `${path} imports ${specifier}`),
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

/** The path without `packages` and `src`: `wire/rpc/message/message.ts`. */
function inPackage(path: string): string {
  return path.replace(/^(?:packages|apps)\/([^/]+)\/src\//, '$1/');
}

/** The last folder that two files share, and the folders in it that lead to them: `undefined` for a file beside them. */
function parting(
  from: string,
  to: string,
): { parent: string; from: string | undefined; to: string | undefined } {
  const [a, b] = [inPackage(from).split('/'), inPackage(to).split('/')];
  const shared = a.findIndex((name, i) => name !== b[i]);
  const folderAt = (names: readonly string[]): string | undefined =>
    shared < names.length - 1 ? names[shared] : undefined;
  return { parent: a.slice(0, shared).join('/'), from: folderAt(a), to: folderAt(b) };
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
