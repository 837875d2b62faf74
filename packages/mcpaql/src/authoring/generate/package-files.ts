/** Writes the manifest and the README of a generated package. */

import { ENDPOINTS } from '@callsign/effects';

import { authVariables } from '../../adapter/auth-schemes.js';
import type { Adapter } from '../../adapter/adapter.js';
import { toolNames, type ToolNamesOptions } from '../../endpoints/tool-names.js';
import { RUNTIME_IMPORTS } from './runtime-files.js';
import { oneLine, quoted } from './type-script.js';

/** Exact versions, so that the package keeps compiling. */
const DEPENDENCIES: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server': '2.4.0',
  undici: '7.30.2',
};
const DEV_DEPENDENCIES: Readonly<Record<string, string>> = {
  '@types/node': '20.19.25',
  typescript: '7.0.2',
};

export function manifestFile({ name, version, description }: Adapter): string {
  const command = `${name}-mcpaql`;
  const manifest = {
    name: command,
    version,
    description: oneLine(description),
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    bin: { [command]: 'dist/src/main.js' },
    exports: { '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' } },
    imports: RUNTIME_IMPORTS,
    files: ['dist', 'runtime', 'adapter.json'],
    scripts: {
      build: 'tsc',
      start: 'node dist/src/main.js',
      test: 'tsc && node --test dist/test/adapter.test.js',
    },
    dependencies: DEPENDENCIES,
    devDependencies: DEV_DEPENDENCIES,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

export function readmeFile(adapter: Adapter, options: ToolNamesOptions): string {
  const names = toolNames(adapter, options);
  const operations = [...adapter.operations.values()];
  const rows = ENDPOINTS.flatMap((endpoint) => {
    const own = operations.filter((each) => each.endpoint === endpoint);
    if (own.length === 0 && endpoint !== 'read') return [];
    const list = ['introspect', ...own.map(({ name }) => name)].slice(endpoint === 'read' ? 0 : 1);
    return `| \`${names.get(endpoint)}\` | ${list.map((name) => `\`${name}\``).join(', ')} |`;
  });
  const variables = authVariables(adapter.auth);
  const signIn =
    variables.length === 0
      ? 'It needs no credentials.'
      : `It signs in with ${variables.map((name) => `\`${name}\``).join(' and ')} from the environment.`;
  return `# ${cell(adapter.displayName)}

${cell(adapter.description)}

An MCP server, generated from an MCPAQL adapter. Its only dependencies are the MCP SDK and undici.

| tool | operations |
| --- | --- |
${rows.join('\n')}

## Run it

\`\`\`sh
npm install
npm test
npm start
\`\`\`

${signIn} \`MCPAQL_TARGET_BASE_URL\` replaces the address of the API.

A call names an operation and its parameters; \`introspect\` lists them:

\`\`\`json
{ "operation": "introspect", "params": { "search": "keywords" } }
\`\`\`

## Use it in a program

\`\`\`ts
import { createCalls } from ${quoted(`${adapter.name}-mcpaql`)};

const calls = createCalls();
const answer = await calls.run('${operations[0]?.name}', { /* typed */ });
\`\`\`

| file | what it is |
| --- | --- |
| \`adapter.json\` | the adapter, as data |
| \`src/tools.ts\` | the tools: names, titles, labels |
| \`src/operations.ts\` | the parameters of each operation, as types |
| \`src/calls.ts\`, \`src/server.ts\` | answering calls, and MCP |
| \`runtime/\` | the protocol, bundled; the same for every adapter |

Do not edit this package: change the adapter and generate it again.
`;
}

/** Untrusted text as one line of Markdown. */
function cell(text: string): string {
  return oneLine(text).replace(/[|<>\\`]/g, '\\$&');
}
