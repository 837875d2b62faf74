/** The spellings of a URI that mean the same resource. A rule about one of them applies to all. */

export interface UriForms {
  /** As written, and after each round of decoding, with scheme, host and path in normal form. */
  readonly exact: readonly string[];
  /**
   * The exact forms, and those without query and fragment, all in lower case: some servers ignore
   * these differences. For denials only.
   */
  readonly loose: readonly string[];
}

/** More rounds of percent-encoding than any server decodes. */
const MAX_ROUNDS = 8;
const PARTS = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(.*)/is;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/;

/** `undefined`: no honest client writes it. It has control characters, or is encoded many times. */
export function uriForms(uri: string): UriForms | undefined {
  const exact = new Set([uri]);
  let text = uri;
  for (let round = 0; ; round++) {
    if (CONTROL.test(text) || round > MAX_ROUNDS) return undefined;
    for (const form of normalUris(text)) exact.add(form);
    const next = decoded(text);
    if (next === text) break;
    text = next;
  }
  const loose = [...exact].flatMap((form) => [form, form.replace(/[?#].*/s, '')]).map(foldedUri);
  return { exact: [...exact], loose: [...new Set(loose)] };
}

/** A glob on `server:uri` in the normal form of URIs. Stars and question marks stay. */
export function normalGlob(glob: string): string {
  const colon = glob.indexOf(':');
  if (colon === -1) return glob;
  return glob.slice(0, colon + 1) + normalUris(decoded(glob.slice(colon + 1)))[0]!;
}

/** Without case and composition of letters, which many file systems ignore. */
export function foldedUri(uri: string): string {
  return uri.normalize('NFKC').toLowerCase();
}

/**
 * The normal form by the standard, and that of servers which treat the host as the first part of a
 * path.
 */
function normalUris(uri: string): readonly string[] {
  const slashed = uri.replaceAll('\\', '/');
  const [, scheme, authority, path = '', rest = ''] = PARTS.exec(slashed) ?? [];
  if (scheme === undefined) return [slashed];
  const kind = scheme.toLowerCase();
  // Without an authority and without a slash, the rest is not a path.
  if (authority === undefined && !path.startsWith('/')) return [`${kind}:${path}${rest}`];
  const named = (authority ?? '').toLowerCase();
  const host = kind === 'file' && named === 'localhost' ? '' : named;
  const marked = authority === undefined && kind !== 'file' ? '' : '//';
  return [host + normalPath(path), normalPath(host + path)].map(
    (normal) => `${kind}:${marked}${normal}${rest}`,
  );
}

/** A path without dot segments and empty segments. */
function normalPath(path: string): string {
  const segments: string[] = [];
  const all = path.split('/');
  for (const segment of all) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  const isFolder = segments.length > 0 && ['', '.', '..'].includes(all.at(-1)!);
  const start = path.startsWith('/') ? '/' : '';
  return start + segments.join('/') + (isFolder ? '/' : '');
}

/** One round of percent-decoding. Bytes that are not UTF-8 stay as they are. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    }
  });
}
