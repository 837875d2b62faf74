// Writes docs/reference: settings from the JSON Schema, commands from their help texts.
// With --check it writes nothing, and fails if a page is out of date.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCHEMA = join(ROOT, 'packages', 'gateway', 'schema', 'callsign.schema.json');
const NOTE = '<!-- Written by scripts/write-reference.mjs. Change the code, and run it again. -->';
/** A maximum of this or more is no real limit, so it is not shown. */
const NO_BOUND = 2 ** 31 - 1;

const pages = {
  'configuration.md': configurationPage(JSON.parse(readFileSync(SCHEMA, 'utf8'))),
  'command-line.md': await commandLinePage(),
};
const stale = Object.entries(pages).filter(([name, text]) => readOr(pageFile(name)) !== text);
const isCheck = process.argv.includes('--check');
for (const [name, text] of stale) {
  if (isCheck)
    console.error(`docs/reference/${name} is stale. Run: node scripts/write-reference.mjs`);
  else writeFileSync(pageFile(name), text);
}
process.exitCode = isCheck && stale.length > 0 ? 1 : 0;

function pageFile(name) {
  return join(ROOT, 'docs', 'reference', name);
}

function readOr(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function configurationPage({ properties, definitions }) {
  const settings = Object.entries(properties.callsign.properties).map(([key, shape]) => [
    key,
    detailedForm(shape),
  ]);
  const groups = settings.filter(([, shape]) => rowsOf('', shape).length > 0);
  const single = settings.filter(([, shape]) => rowsOf('', shape).length === 0);
  return `# Configuration

${NOTE}

A configuration is the unchanged MCP file of a client: JSON, comments allowed, with servers by key under
\`mcpServers\`, \`servers\` or \`context_servers\`. The settings of Callsign are under the key \`callsign\` next to
them. All are optional. \`callsign config schema\` prints the JSON Schema, \`callsign validate\` checks a file.

In every text of a server, \`\${VAR}\`, \`\${VAR:-default}\`, \`\${env:VAR}\` and \`$VAR\` are replaced by environment
variables. If a variable is missing, \`callsign validate\` fails, and the gateway serves the other servers.

## A server

Either \`command\`, or an address. Fields that only a client uses are kept and ignored.

${table(rowsOf('', definitions.serverEntry))}

## Settings

${table(single.map(([key, shape]) => [key, shape]))}

${groups.map(([key, shape]) => groupSection(key, shape)).join('\n\n')}
`;
}

function groupSection(key, shape) {
  return `## \`${key}\`\n\n${shape.description}\n\n${table(rowsOf(key, shape))}`;
}

/** For a setting that is a word or an object: the object, with the description of both. */
function detailedForm(shape) {
  const detailed = shape.anyOf?.find(({ properties }) => properties !== undefined);
  return detailed ? { ...detailed, description: shape.description } : shape;
}

/** Every key inside a schema with its own schema. Keys that the user chooses are written as `*`. */
function rowsOf(path, shape) {
  const below = (key) => (path === '' ? key : `${path}.${key}`);
  const named = Object.entries(shape.properties ?? {}).flatMap(([key, each]) => {
    const rows = rowsOf(below(key), detailedForm(each)).filter(
      ([, { description }]) => description,
    );
    // A group is described by its members. A map, a list or a choice also has its own row.
    return each.properties && rows.length > 0 ? rows : [[below(key), each], ...rows];
  });
  const mapped = shape.additionalProperties?.properties
    ? rowsOf(below('*'), shape.additionalProperties)
    : [];
  const listed = shape.items?.properties ? rowsOf(`${path}[]`, shape.items) : [];
  return [...named, ...mapped, ...listed];
}

function table(rows) {
  const lines = rows.map(([path, shape]) => {
    const standard =
      shape.default === undefined || isEmpty(shape.default) ? '' : code(shape.default);
    const [example] = shape.examples ?? [];
    const isShown = example !== undefined && !saysNothing(shape, example);
    const shown = isShown ? code(example) : '';
    return `| \`${path}\` | ${shape.description ?? ''} | ${takes(shape)} | ${standard} | ${shown} |`;
  });
  const head = ['| key | is | takes | default | for example |', '| --- | --- | --- | --- | --- |'];
  return [...head, ...lines].join('\n');
}

/** Whether an example of a setting adds nothing to its other columns. */
function saysNothing({ enum: words, type, default: standard }, example) {
  return (
    Boolean(words) || type === 'boolean' || JSON.stringify(example) === JSON.stringify(standard)
  );
}

function isEmpty(value) {
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function code(value) {
  return `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``;
}

/** The allowed values of a setting, in words. */
function takes(shape) {
  if (shape.anyOf) return shape.anyOf.map(takes).join(', or ');
  if (shape.enum) return shape.enum.map((word) => `\`${word}\``).join(', ');
  switch (shape.type) {
    case 'boolean':
      return '`true` or `false`';
    case 'integer': {
      const most = shape.maximum < NO_BOUND ? ` to ${shape.maximum}` : '';
      return `a whole number, ${shape.minimum}${most || ' or more'}`;
    }
    case 'string':
      return 'a text';
    case 'array':
      return shape.items.type === 'string' ? 'a list of texts' : 'a list';
    default:
      return 'an object';
  }
}

async function commandLinePage() {
  const [overview] = await helpOf(['']);
  const names = [...overview.matchAll(/^ {2}([a-z][a-z -]*?) {2,}/gm)].map(([, name]) => name);
  const texts = await helpOf(names);
  const shared = optionsIn(overview).map(({ words }) => words);
  const sections = names.map(
    (name, i) => `## callsign ${name}\n\n${block(withoutShared(texts[i], shared))}`,
  );
  return `# Command line

${NOTE}

Data goes to standard output, everything else to standard error. The
[README of the command](../../packages/cli/README.md#for-scripts) lists the exit codes.

${block(overview)}

The options of every command are not repeated below.

${sections.join('\n\n')}
`;
}

/** The options in a help text: the lines of each, and its words. */
function optionsIn(text) {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^Options.*:$/.test(line)) + 1;
  if (first === 0) return [];
  const end = lines.findIndex((line, at) => at >= first && line === '');
  const options = [];
  for (let at = first; at < (end === -1 ? lines.length : end); at++) {
    if (/^ {2}-/.test(lines[at])) options.push({ at, count: 0, words: '' });
    const option = options.at(-1);
    option.count++;
    option.words = `${option.words} ${lines[at].trim().replaceAll(/ +/g, ' ')}`.trim();
  }
  return options;
}

/** The help of a command without the options that every command has. A command that lacks one keeps all. */
function withoutShared(text, shared) {
  const options = optionsIn(text);
  const wanted = shared.filter((words) => !words.startsWith('-V'));
  const common = options.filter(({ words }) => wanted.includes(words));
  if (common.length < wanted.length) return text;
  const lines = text.split('\n');
  const gone = new Set(common.flatMap(({ at, count }) => range(at, count)));
  if (common.length === options.length) gone.add(options[0].at - 1).add(options[0].at - 2);
  return lines.filter((_, at) => !gone.has(at)).join('\n');
}

function range(from, count) {
  return Array.from({ length: count }, (_, i) => from + i);
}

function block(text) {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

/**
 * The help of each command, printed without a terminal, so that the line length is always the same.
 */
async function helpOf(commands) {
  const script = `
    import { main } from 'mcp-callsign';
    process.stderr.setMaxListeners(0);
    for (const command of JSON.parse(process.argv[1])) {
      await main([...command.split(' ').filter(Boolean), '--help']);
      process.stdout.write('\\f');
    }`;
  const args = ['--input-type=module', '--eval', script, JSON.stringify(commands)];
  const options = { cwd: ROOT, env: { ...process.env, NO_COLOR: '1' } };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return stdout.split('\f').slice(0, -1);
}
