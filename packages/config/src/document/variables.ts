/**
 * Variables in text: `${VAR}`, `${VAR:-default}`, `${env:VAR}` and `$VAR`, and secrets: `${keychain:NAME}` and
 * `${file:PATH}`. `$$` before one keeps it as text.
 */

/** The values of variables. An unset variable is missing or `undefined`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a secret, or why there is none. The reason never contains a value. */
export type Secret = { readonly value: string } | { readonly fault: string };

/** Secrets that were read, by their names in text: `keychain:NAME` and `file:PATH`. */
export type Secrets = ReadonlyMap<string, Secret>;

/** Why a variable could not be replaced. Never contains a value. */
export type VariableFault =
  | {
      /** `missing`: not set. `editor`: only an editor knows its value. `malformed`: not a variable. */
      readonly kind: 'missing' | 'editor' | 'malformed';
      /** The name of the variable, if there is one. */
      readonly name: string;
    }
  | { readonly kind: 'secret'; readonly name: string; readonly reason: string };

/** Usable only without faults. */
export interface ExpandedText {
  /** Variables with a problem stay as written. */
  readonly text: string;
  readonly faults: readonly VariableFault[];
}

// Bare names are whole words in upper case, so "$lower", "$FOObar" and "US$5" are text.
const VARIABLE =
  /(?<escape>\$)?\$(?:\{(?<inner>[^}]*)(?<close>\}?)|(?<bare>_*[A-Z][A-Z0-9_]*)(?![A-Za-z0-9_]))/g;
const INNER = /^(?:env:(?<scoped>[^:{}\p{Cc}]+)|(?<plain>[A-Za-z_]\w*))(?::-(?<fallback>[^]*))?$/u;
const SECRET = /^(?:keychain:[\w.-]{1,100}|file:[^{}\p{Cc}]+)$/u;
const EDITOR_SCOPE = /^[a-z]+:[\w.][\w.-]*$/i;
const EDITOR_NAMES: ReadonlySet<string> = new Set([
  '/',
  'cwd',
  'execPath',
  'file',
  'fileDirname',
  'pathSeparator',
  'userHome',
  'workspaceFolder',
  'workspaceFolderBasename',
  'workspaceRoot',
]);
const MALFORMED: VariableFault = { kind: 'malformed', name: '' };
const UNREAD: Secret = { fault: 'was not read' };

export interface ExpandOptions {
  /** Called with each variable and secret, and its value. */
  readonly onValue?: ((name: string, value: string) => void) | undefined;
  /** Default: secrets are not judged. They stay as written, without a fault. */
  readonly secrets?: Secrets | undefined;
}

/** Expands in one pass: values are not expanded again. An empty variable counts as set. */
export function expandVariables(
  text: string,
  environment: Environment,
  { onValue, secrets }: ExpandOptions = {},
): ExpandedText {
  const faults: VariableFault[] = [];
  const expanded = text.replace(VARIABLE, (written: string, ...rest: unknown[]) => {
    const { escape, inner, close, bare } = rest.at(-1) as Record<string, string | undefined>;
    if (escape !== undefined) return written.slice(1);
    if (close !== '' && inner !== undefined && SECRET.test(inner)) {
      const read = secrets && (secrets.get(inner) ?? UNREAD);
      if (read && 'value' in read) {
        onValue?.(inner, read.value);
        return read.value;
      }
      if (read) faults.push({ kind: 'secret', name: inner, reason: read.fault });
      return written;
    }
    const found = close === '' ? MALFORMED : lookUp(bare ?? inner!, environment);
    if ('value' in found) {
      onValue?.(found.name, found.value);
      return found.value;
    }
    if (!faults.some(({ name }) => name === found.name)) faults.push(found);
    return written;
  });
  return { text: expanded, faults };
}

/** The secrets that a text names, as `keychain:NAME` and `file:PATH`. */
export function secretsIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].flatMap(({ groups: { escape, inner, close } = {} }) =>
    escape === undefined && close !== '' && inner !== undefined && SECRET.test(inner) ? inner : [],
  );
}

/** The text for which `expandVariables` gives this text: what would be a variable is escaped. */
export function literalText(text: string): string {
  return text.replace(VARIABLE, (written) => `$${written}`);
}

/**
 * Whether `text` is what `written` becomes if every variable has a value. A variable that is not set
 * here may have had any value.
 */
export function isFilledIn(text: string, written: string, environment: Environment): boolean {
  let pattern = '';
  let end = 0;
  for (const match of written.matchAll(VARIABLE)) {
    const { escape, inner, close, bare } = match.groups as Record<string, string | undefined>;
    const found = close === '' ? MALFORMED : lookUp(bare ?? inner!, environment);
    const isSecret = inner !== undefined && SECRET.test(inner);
    pattern += literalPattern(written.slice(end, match.index));
    end = match.index + match[0].length;
    if (escape !== undefined) pattern += literalPattern(match[0].slice(1));
    else if ('value' in found) pattern += literalPattern(found.value);
    else pattern += found.kind === 'missing' || isSecret ? '[^]*' : literalPattern(match[0]);
  }
  const whole = new RegExp(`^${pattern}${literalPattern(written.slice(end))}$`);
  return whole.test(expandVariables(text, environment).text);
}

function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

interface FoundVariable {
  readonly name: string;
  readonly value: string;
}

function lookUp(inner: string, environment: Environment): FoundVariable | VariableFault {
  const { scoped, plain, fallback } = INNER.exec(inner)?.groups ?? {};
  const name = scoped ?? plain ?? '';
  // A "${" inside means that the expression was cut at the first of two closing braces.
  if (fallback?.includes('${')) return MALFORMED;
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
  if (name !== '' && value !== undefined) return { name, value };
  if (fallback !== undefined) return { name, value: fallback };
  if (scoped !== undefined) return { kind: 'missing', name: scoped };
  if (EDITOR_NAMES.has(inner) || EDITOR_SCOPE.test(inner)) return { kind: 'editor', name: inner };
  return plain === undefined ? MALFORMED : { kind: 'missing', name: plain };
}
