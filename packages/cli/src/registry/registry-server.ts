/**
 * A server as a registry describes it, and the ways to run or reach it. No text of a registry is
 * believed: each is checked before anything is made of it, and what does not fit is refused with a reason.
 */

import { isRecord, literalText } from '@callsign/config';
import { onOneLine, printable } from '@callsign/terminal';

export interface RegistryServer {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  /** In the order of the registry: packages first. */
  readonly ways: readonly Way[];
  /** Why others of its packages and addresses cannot be used, as sentences. */
  readonly unusable: readonly string[];
}

/** One way to run or reach a server. */
export type Way = PackageWay | RemoteWay;

interface PackageWay {
  readonly kind: 'npm' | 'pypi';
  readonly command: string;
  /** The words before the arguments of the package. They are fixed. */
  readonly start: readonly string[];
  readonly args: readonly Argument[];
  readonly env: ReadonlyMap<string, Field>;
}

interface RemoteWay {
  readonly kind: 'remote';
  readonly type: 'http' | 'sse';
  readonly url: Template;
  readonly headers: ReadonlyMap<string, Field>;
}

/** Fixed text and values that a person gives. */
export type Template = readonly (string | Asked)[];

/** A variable, a header or an argument. */
export interface Field {
  readonly text: Template;
  readonly isRequired: boolean;
}

export interface Argument extends Field {
  /** The word before its value, such as `--root`. */
  readonly flag?: string;
  readonly isRepeated: boolean;
  /** A flag without a value: it is there or not. */
  readonly isSwitch: boolean;
}

/** A value that a person gives. */
export interface Asked {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly format: 'string' | 'number' | 'boolean' | 'filepath';
  readonly fallback?: string;
  /** Empty: any value. */
  readonly choices: readonly string[];
}

/** What a registry says cannot be used. The message has no control characters. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** As the schema of servers has it, without a name that could be a flag. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9.-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/;
const LONGEST_NAME = 200;
export const VERSION: RegExp = /^[A-Za-z0-9][A-Za-z0-9.+_-]{0,100}$/;
const NPM_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/i;
const NPM_VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const PYPI_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i;
const PYPI_VERSION = /^\d[0-9A-Za-z.!+-]*$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** These belong to a connection, not to a server. */
const CONNECTION_HEADERS =
  /^(?:host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|keep-alive|proxy-.*|mcp-.*)$/i;
/** Variables that decide which code runs, or where it is downloaded. */
const STEERING =
  /^(?:(?:NPM|UV|PIP|GIT|SSL|OPENSSL|LD|GLIBC|DYLD|NODE|PYTHON|RUBY|PERL5?|GEM|BASH|JAVA|JDK|_JAVA|XDG)(?:_.*|OPT|LIB|PATH|HOME|STARTUP)|PATH|HOME|USER|SHELL|ENV|IFS|CLASSPATH|TMPDIR|GCONV_PATH|LOCPATH|PATHEXT|COMSPEC|SYSTEMROOT|(?:LOCAL)?APPDATA|.*_PROXY)$/i;
const HARMLESS =
  /^(?:NODE_ENV|PYTHON_?(?:UNBUFFERED|IOENCODING|UTF8|DONTWRITEBYTECODE)|GIT_AUTHOR_\w+)$/;
const LONGEST_TEXT = 4_096;
const MOST_FIELDS = 100;

export function isServerName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text);
}

/** Throws a `Misfit`. `record`: one element of a list, or the answer for one version. */
export function readServer(record: unknown): RegistryServer {
  const server = isRecord(record) ? record['server'] : undefined;
  if (!isRecord(server)) throw new Misfit('there is no server in it');
  const { name, version, title, description, packages, remotes } = server;
  if (typeof name !== 'string' || !isServerName(name)) {
    throw new Misfit(`its name is not one that a server can have: ${quoted(name)}`);
  }
  if (typeof version !== 'string' || !VERSION.test(version)) {
    throw new Misfit(`its version cannot be used: ${quoted(version)}`);
  }
  const status = statusOf(record as Readonly<Record<string, unknown>>, server);
  if (status === 'deleted') throw new Misfit('the registry has removed it');
  const ways: Way[] = [];
  const unusable: string[] = [];
  const attempt = (read: () => Way): void => {
    try {
      ways.push(read());
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      unusable.push(onOneLine(error.message));
    }
  };
  for (const each of listOf(packages, 'packages')) attempt(() => packageWay(each));
  for (const each of listOf(remotes, 'remotes')) attempt(() => remoteWay(each));
  return {
    name,
    version,
    title: typeof title === 'string' ? onOneLine(title.slice(0, 200)) : '',
    description: typeof description === 'string' ? onOneLine(description.slice(0, 500)) : '',
    isDeprecated: status === 'deprecated',
    ways,
    unusable,
  };
}

/** Every value that a way asks for, each name once. */
export function askedIn(way: Way): Asked[] {
  const templates =
    way.kind === 'remote'
      ? [way.url, ...[...way.headers.values()].map(({ text }) => text)]
      : [...way.args, ...way.env.values()].map(({ text }) => text);
  const all = templates.flat().filter((part) => typeof part !== 'string');
  return all.filter(({ name }, i) => all.findIndex((each) => each.name === name) === i);
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

function statusOf(record: Readonly<Record<string, unknown>>, server: object): unknown {
  const meta = record['_meta'];
  const official = isRecord(meta) ? meta[OFFICIAL] : undefined;
  const status = isRecord(official) ? official['status'] : undefined;
  return status ?? (server as { readonly status?: unknown }).status;
}

/** Packages that other programs run. */
const OTHER_PACKAGES: Readonly<Record<string, string>> = {
  oci: 'It is a container image, which Callsign does not start by itself',
  mcpb: 'It is a bundle (MCPB), which Callsign does not unpack',
  nuget: 'It is a NuGet package, which Callsign does not start by itself',
};

function packageWay(value: unknown): PackageWay {
  if (!isRecord(value)) throw new Misfit('A package is not an object');
  const { registryType, identifier, version, registryBaseUrl, transport, runtimeArguments } = value;
  const isNpm = registryType === 'npm';
  if (!isNpm && registryType !== 'pypi') {
    const known = typeof registryType === 'string' ? OTHER_PACKAGES[registryType] : undefined;
    throw new Misfit(
      known ?? `Its package is of a kind that is not known: ${quoted(registryType)}`,
    );
  }
  const what = `The ${registryType} package`;
  if (typeof identifier !== 'string' || !isPackageName(identifier, isNpm)) {
    throw new Misfit(`${what} has a name that no package can have: ${quoted(identifier)}`);
  }
  const versions = isNpm ? NPM_VERSION : PYPI_VERSION;
  if (typeof version !== 'string' || version.length > 100 || !versions.test(version)) {
    throw new Misfit(`${what} ${identifier} has no exact version: ${quoted(version)}`);
  }
  const home = isNpm ? 'https://registry.npmjs.org' : 'https://pypi.org';
  if (registryBaseUrl !== undefined && String(registryBaseUrl).replace(/\/+$/, '') !== home) {
    throw new Misfit(`${what} ${identifier} comes from elsewhere: ${quoted(registryBaseUrl)}`);
  }
  const type = isRecord(transport) ? transport['type'] : 'stdio';
  if (type !== 'stdio') {
    throw new Misfit(`${what} ${identifier} listens on a port: start it yourself, and add its URL`);
  }
  // They steer npx and uvx: another package, another interpreter, code of their own.
  const extra = listOf(runtimeArguments, 'runtimeArguments').filter((each) => !isPlainYes(each));
  if (extra.length > 0) {
    const words = extra.map((each) => (isRecord(each) ? [each['name'], each['value']] : []));
    const shown = words.flat().filter((word) => typeof word === 'string');
    throw new Misfit(
      `${what} ${identifier} asks for arguments before its name: ${quoted(shown.join(' '))}`,
    );
  }
  return {
    kind: registryType,
    command: isNpm ? 'npx' : 'uvx',
    start: [...(isNpm ? ['-y'] : []), `${identifier}@${version}`],
    args: listOf(value['packageArguments'], 'packageArguments').map(argument),
    env: fieldsIn(value['environmentVariables'], 'environmentVariables', variableFault),
  };
}

function isPackageName(text: string, isNpm: boolean): boolean {
  return text.length <= 214 && (isNpm ? NPM_NAME : PYPI_NAME).test(text);
}

/** `npx -y` is what is run in any case. */
function isPlainYes(value: unknown): boolean {
  return isRecord(value) && /^(?:-y|--yes)$/.test(String(value['name'] ?? value['value']));
}

function remoteWay(value: unknown): RemoteWay {
  if (!isRecord(value)) throw new Misfit('An address is not an object');
  const { type, url, variables } = value;
  if (type !== 'streamable-http' && type !== 'sse') {
    throw new Misfit(`Its address is of a kind that is not known: ${quoted(type)}`);
  }
  const text = template(checked(url, 'The address'), variables);
  const unknown = text.find((part) => typeof part === 'string' && /[{}]/.test(part));
  if (unknown !== undefined) {
    throw new Misfit(`The address has a part that the registry does not describe: ${quoted(url)}`);
  }
  const sample = text.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  const start = typeof text[0] === 'string' ? text[0] : '';
  if (!URL.canParse(sample) || !/^https?:\/\//i.test(start)) {
    throw new Misfit(`The address is not one of HTTP: ${quoted(url)}`);
  }
  const { username, password } = new URL(sample);
  if (username !== '' || password !== '') {
    throw new Misfit(`The address contains a password: ${quoted(url)}`);
  }
  return {
    kind: 'remote',
    type: type === 'sse' ? 'sse' : 'http',
    url: text.map((part) => (typeof part === 'string' ? part : { ...part, isRequired: true })),
    headers: fieldsIn(value['headers'], 'headers', headerFault),
  };
}

function argument(value: unknown, index: number): Argument {
  if (!isRecord(value)) throw new Misfit('An argument is not an object');
  const { type, name, valueHint, isRepeated, isRequired, format } = value;
  const isNamed = type === 'named';
  if (!isNamed && type !== 'positional') {
    throw new Misfit(`An argument is of a kind that is not known: ${quoted(type)}`);
  }
  const flag = isNamed ? checked(name, 'An argument') : undefined;
  const hint = typeof valueHint === 'string' ? valueHint : flag?.replace(/^-+/, '');
  const own = checked(hint ?? `argument${index + 1}`, 'An argument');
  const says = (member: string): boolean => value[member] !== undefined;
  const isBare = !['value', 'default', 'choices', 'valueHint', 'placeholder', 'format'].some(says);
  // A flag that must be there, and of which nothing says that it has a value.
  const isFixed = isNamed && isBare && isRequired === true;
  return {
    ...(isFixed ? { text: [], isRequired } : field(value, own)),
    ...(flag === undefined ? {} : { flag }),
    isRepeated: isRepeated === true,
    isSwitch: isFixed || (isNamed && format === 'boolean'),
  };
}

function fieldsIn(
  value: unknown,
  what: string,
  fault: (name: string, isFixed: boolean) => string | undefined,
): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const each of listOf(value, what)) {
    if (!isRecord(each)) throw new Misfit(`An element of ${what} is not an object`);
    const name = checked(each['name'], `A name in ${what}`);
    const isFixed = each['value'] !== undefined || each['default'] !== undefined;
    const wrong = name === '__proto__' ? 'cannot be set' : fault(name, isFixed);
    if (wrong !== undefined) throw new Misfit(`${quoted(name)} ${wrong}`);
    fields.set(name, field(each, name));
  }
  return fields;
}

function variableFault(name: string, isFixed: boolean): string | undefined {
  if (!VARIABLE_NAME.test(name)) return 'is not the name of a variable';
  return isFixed && STEERING.test(name) && !HARMLESS.test(name)
    ? 'decides which code runs, so a registry may not set it'
    : undefined;
}

function headerFault(name: string): string | undefined {
  return HEADER_NAME.test(name) && !CONNECTION_HEADERS.test(name)
    ? undefined
    : 'is not a header that a server can ask for';
}

function field(value: Readonly<Record<string, unknown>>, name: string): Field {
  const isRequired = value['isRequired'] === true;
  const text =
    value['value'] === undefined
      ? [asked(value, name)]
      : template(checked(value['value'], name), value['variables']);
  return { text, isRequired: isRequired || value['value'] !== undefined };
}

/** `{name}` is a value to ask for, if `variables` describes it. Other braces stay. */
function template(text: string, variables: unknown): Template {
  const known = isRecord(variables) ? variables : {};
  return text
    .split(/(\{[^{}]+\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const name = /^\{(.+)\}$/.exec(part)?.[1];
      const own = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
      return isRecord(own) ? asked(own, checked(name, 'A variable')) : part;
    });
}

const FORMATS = ['string', 'number', 'boolean', 'filepath'] as const;

function asked(value: Readonly<Record<string, unknown>>, name: string): Asked {
  const { description, isRequired, isSecret, format, value: fixed, default: standard } = value;
  const choices = listOf(value['choices'], 'choices').map((each) => checked(each, name));
  const fallback = fixed ?? standard;
  return {
    name,
    description: typeof description === 'string' ? onOneLine(description.slice(0, 300)) : '',
    isRequired: isRequired === true,
    isSecret: isSecret === true,
    format: FORMATS.find((each) => each === format) ?? 'string',
    ...(fallback === undefined || fallback === '' ? {} : { fallback: checked(fallback, name) }),
    choices,
  };
}

/** Text that means what it looks like: nothing invisible in it, and no reference to a secret of this machine. */
function checked(value: unknown, what: string): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > LONGEST_TEXT) {
    throw new Misfit(`${onOneLine(what)} is not a text: ${quoted(value)}`);
  }
  if (printable(text) !== text || /[\n\t]/.test(text)) {
    throw new Misfit(`${onOneLine(what)} has characters that cannot be seen: ${quoted(text)}`);
  }
  if (literalText(text) !== text || text.endsWith('$')) {
    throw new Misfit(`${onOneLine(what)} refers to a variable of this machine: ${quoted(text)}`);
  }
  return text;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Misfit(`Its ${what} are not a list`);
  if (value.length > MOST_FIELDS) throw new Misfit(`It has more than ${MOST_FIELDS} ${what}`);
  return value as readonly unknown[];
}

/** For a message. */
function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return JSON.stringify(onOneLine(text.slice(0, 100)));
}
