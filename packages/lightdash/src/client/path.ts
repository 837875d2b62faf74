/** Builds paths of the API in which every value stays one segment. */

const MAX_LENGTH = 255;

/** A path that is safe to send. Only {@link path} creates it. */
export type ApiPath = string & { readonly __apiPath: true };

/** ``path`/api/v1/projects/${uuid}` ``: a value can neither leave its place nor add a query. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): ApiPath {
  return String.raw({ raw: parts }, ...values.map(segment)) as ApiPath;
}

/** The reason why a value cannot be a segment, or `undefined`. */
export function segmentProblem(value: string): string | undefined {
  if (value === '') return 'is empty';
  if (value.length > MAX_LENGTH) return `has ${value.length} characters, ${MAX_LENGTH} are allowed`;
  if (value === '.' || value === '..') return 'would lead to another address';
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'contains control characters';
  return /\p{Surrogate}/u.test(value) ? 'is not well-formed text' : undefined;
}

function segment(value: string): string {
  const problem = segmentProblem(value);
  if (problem !== undefined)
    throw new RangeError(`The identifier ${JSON.stringify(value.slice(0, 60))} ${problem}.`);
  return encodeURIComponent(value);
}
