// GET operations of HTTP APIs with the truth about each, decided by hand: does it read, or does it change something?
// `test/imports/truth/published-*.jsonl` has operations of published documents, and `tricky/*.tsv` invented ones in the
// style of real APIs. Half of the cases is for measuring only: the rules must not be tuned on it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const TRUTH = new URL('../../test/imports/truth/', import.meta.url);

/** Styles of which the rules were built on no case. */
const ONLY_MEASURED = new Set(['games', 'media', 'registrars', 'telephony', 'vehicles']);

/** Every case: `truth` is `reads`, `changes` or `unclear`; `from` is `sample`, `search` or `tricky`. */
export function readImports() {
  return [...published('build'), ...published('measured'), ...tricky()];
}

/**
 * `sample`: chosen at random. `search`: found by the words of its path, to get changes and tricky reads. No provider of
 * the sample is in both halves.
 */
function published(half) {
  const lines = readFileSync(new URL(`published-${half}.jsonl`, TRUTH), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const { truth, from, provider, path, ...operation } = JSON.parse(line);
    return { truth, from, style: provider, path, operation, isMeasured: half === 'measured' };
  });
}

function tricky() {
  const folder = new URL('tricky/', TRUTH);
  return readdirSync(folder).flatMap((file) => {
    const style = file.replace(/\.tsv$/, '');
    const [, ...lines] = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
    return lines.map((line) => {
      const [truth, path, parameters, operationId, summary, description] = line.split('\t');
      const isMeasured = ONLY_MEASURED.has(style) || isSetAside(path, operationId);
      const texts = Object.entries({ operationId, summary, description }).filter(
        ([, text]) => text,
      );
      const operation = {
        ...Object.fromEntries(texts),
        parameters: parametersOf(path, parameters),
      };
      return { truth, from: 'tricky', style, path, operation, isMeasured };
    });
  });
}

/** Decided before the rules were written, by this seed, the path and the name. */
function isSetAside(path, name) {
  const digest = createHash('sha256').update(`callsign imports ${path} ${name}`).digest('hex');
  return Number.parseInt(digest.slice(0, 8), 16) % 2 === 0;
}

/** `action=start,stop id` names two parameters, the first one with its values. */
function parametersOf(path, text) {
  const inPath = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name]) => ({ name, in: 'path' }));
  const others = text
    .split(' ')
    .filter(Boolean)
    .map((each) => {
      const [name, values] = each.split('=');
      return { name, in: 'query', ...(values === undefined ? {} : { enum: values.split(',') }) };
    });
  return [...inPath, ...others];
}
