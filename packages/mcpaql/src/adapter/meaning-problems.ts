/** Checks the meaning of a valid document: names, mappings, and levels that contradict each other. */

import { type Path, pathText } from '@callsign/config/problems';
import { type Endpoint, ENDPOINTS } from '@callsign/effects';
import { ADAPTER_SCOPE, compilePattern } from '@callsign/naming';

import type {
  AdapterDocument,
  OperationDocument,
  ParamDocument,
  ValueShape,
} from './adapter-document.js';
import { isAtLeast } from './danger.js';
import { createLinker } from './link-shapes.js';
import { type Mapping, parseMapsTo, placeholdersOf } from './maps-to.js';
import type { ReadableDocument } from './readable-parts.js';
import { RESERVED_OPERATIONS } from './reserved-operations.js';
import { shapeParts } from './shape-parts.js';
import { reportShapes } from './shape-problems.js';
import { addressProblems, targetProblems } from './target-problems.js';
import { typeFits } from './type-fits.js';
import type { Report, WrittenDocument } from './written-document.js';

/** The characters that all clients accept in a name. */
const NAME_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

/** The forms of `maps_to` for each transport. */
const FORMS: Readonly<Record<AdapterDocument['target']['transport'], readonly Mapping['kind'][]>> =
  {
    http: ['http'],
    native: ['function', 'command'],
    mcp: ['tool'],
  };

const FORM_EXAMPLES: Readonly<Record<AdapterDocument['target']['transport'], string>> = {
  http: '"GET /berths/{berth_id}"; the methods are GET, POST, PUT, PATCH and DELETE',
  native: '"function:listBerths" or "command:list --free {free_only}"',
  mcp: '"tool:create_issue"',
};

/**
 * Checks the readable parts even if the document has other faults, so that one fault does not hide
 * another.
 */
export function reportMeaning(
  document: ReadableDocument,
  { report, hasProblemAt, valueAt }: WrittenDocument,
): void {
  reportToolNames(document, report);
  targetProblems(document, report);
  const areSound = reportShapes(document, report);
  const link = areSound ? createLinker(document.shapes ?? {}) : undefined;
  const seen = new Map<string, Path>();
  let count = 0;
  // In the order of the file, so that the second operation of a name is reported, not the first.
  for (const endpoint of endpointsOf(document, valueAt)) {
    for (const [i, operation] of (document.operations[endpoint] ?? []).entries()) {
      count++;
      if (!operation) continue;
      const path = ['operations', endpoint, i] as const;
      reportName(operation, seen, path, report);
      reportMapping(operation, document, path, report);
      reportDanger(operation, endpoint, path, report);
      reportMethod(operation, endpoint, path, report);
      for (const [name, param] of Object.entries(operation.params)) {
        const at = [...path, 'params', name];
        reportForms(param, at, report);
        // Only a default is compared with the inner parts of a shape.
        const isWhole = param.shape === undefined || param.default === undefined;
        reportParam(link && !isWhole ? link(param) : param, at, report);
      }
    }
  }
  for (const [name, shape] of Object.entries(document.shapes ?? {})) {
    reportForms(shape, ['shapes', name], report);
    reportParam(shape, ['shapes', name], report);
  }
  if (count === 0 && !hasProblemAt(['operations'])) {
    const advice = 'add one, such as read: [{ name: list_berths, maps_to: "GET /berths" }]';
    report('no-operations', ['operations'], 'has no operation', advice);
  }
}

/** As the file orders them. */
function endpointsOf(
  { operations }: ReadableDocument,
  valueAt: WrittenDocument['valueAt'],
): Endpoint[] {
  const written = Object.keys(Object(valueAt(['operations'])) as object);
  return ENDPOINTS.filter((endpoint) => operations[endpoint]).toSorted(
    (a, b) => written.indexOf(a) - written.indexOf(b),
  );
}

function reportToolNames({ tool_names }: ReadableDocument, report: Report): void {
  if (!tool_names) return;
  const { pattern } = tool_names;
  const compiled = compilePattern(pattern, { scope: ADAPTER_SCOPE, characters: NAME_CHARACTERS });
  for (const { message, advice } of compiled.ok ? [] : compiled.problems) {
    report('tool-names', ['tool_names', 'pattern'], message, advice);
  }
}

function reportName(
  { name }: OperationDocument,
  seen: Map<string, Path>,
  operation: Path,
  report: Report,
): void {
  if (name === '') return;
  const path = [...operation, 'name'];
  const first = seen.get(name);
  if (first) {
    const message = `"${name}" is already the name of ${pathText(first)}`;
    report('duplicate-operation', path, message, 'give it another name');
  } else seen.set(name, operation);
  if (!RESERVED_OPERATIONS.has(name)) return;
  const message = `"${name}" belongs to the protocol`;
  report('reserved-operation', path, message, 'choose another name');
}

function reportMapping(
  operation: OperationDocument,
  { target, transport = target?.transport }: ReadableDocument,
  path: Path,
  report: Report,
): void {
  if (transport === undefined) return;
  const mapping = parseMapsTo(operation.maps_to);
  const at = [...path, 'maps_to'];
  if (!mapping || !FORMS[transport].includes(mapping.kind)) {
    const message = `is not valid for the transport ${transport}`;
    report('wrong-mapping', at, message, `write ${FORM_EXAMPLES[transport]}`);
    return;
  }
  if (target?.transport === 'native') {
    const needed = mapping.kind === 'function' ? 'module' : 'command';
    if (target[needed] === undefined) {
      const advice = `name one in target.${needed}`;
      report('wrong-mapping', at, `needs a ${needed}, and the target has none`, advice);
    }
  }
  const { base_url } = operation;
  if (base_url !== undefined && target?.transport === 'http') {
    addressProblems(base_url, target, [...path, 'base_url'], report);
  } else if (base_url !== undefined && target) {
    const message = `has no effect: the transport ${target.transport} has no address`;
    report('contradiction', [...path, 'base_url'], message, 'remove it');
  }
  const placeholders = placeholdersOf(mapping);
  for (const name of placeholders) {
    const declared = Object.hasOwn(operation.params, name) ? operation.params[name] : undefined;
    if (!declared) {
      report('undeclared-param', at, `{${name}} is not a parameter`, `declare it: params.${name}`);
    } else if (mapping.kind === 'http' && !declared.required && declared.default === undefined) {
      const advice = 'add required: true';
      report('contradiction', [...path, 'params', name], 'is in the path but is optional', advice);
    }
  }
  for (const [name, param] of Object.entries(operation.params)) {
    const inPath = placeholders.includes(name);
    reportPlace(param, mapping, [...path, 'params', name], report);
    if (param.in === undefined || (param.in === 'path') === inPath) continue;
    const advice = inPath
      ? 'take it out of the path, or write in: path'
      : `put {${name}} into the path`;
    const message = inPath ? 'is in the path already' : 'is not in the path';
    report('contradiction', [...path, 'params', name, 'in'], message, advice);
  }
}

/** Headers that an operation must not set. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'host',
  'proxy-authorization',
  'transfer-encoding',
]);

function reportPlace(param: ParamDocument, mapping: Mapping, path: Path, report: Report): void {
  const isBody = param.in === 'body' || param.in === 'payload';
  if (mapping.kind === 'http' && mapping.method === 'GET' && isBody) {
    const message = 'goes into a body, and GET has none';
    report('contradiction', [...path, 'in'], message, 'write in: query, or map to another method');
  }
  if (param.in !== 'header') return;
  const header = param.as ?? path.at(-1);
  if (!OWN_HEADERS.has(String(header).toLowerCase())) return;
  const message = `would replace the header ${header}, which Callsign sets`;
  report('wrong-value', [...path, 'in'], message, 'put credentials into auth, and remove the rest');
}

/**
 * `read` and `create` have a fixed, harmless label, so they must not contain dangerous operations.
 */
function reportDanger(
  { danger, danger_level }: OperationDocument,
  endpoint: Endpoint,
  path: Path,
  report: Report,
): void {
  if (danger && danger_level && danger.level !== danger_level) {
    const message = `says ${danger_level}, and danger.level says ${danger.level}`;
    report('contradiction', [...path, 'danger_level'], message, 'keep one of the two');
  }
  const level = danger?.level ?? danger_level;
  if (level === undefined || (endpoint !== 'read' && endpoint !== 'create')) return;
  if (!isAtLeast(level, endpoint === 'read' ? 'reversible' : 'destructive')) return;
  const message = `is ${level}, but the tool for ${endpoint} is labelled harmless`;
  const where = danger ? [...path, 'danger', 'level'] : [...path, 'danger_level'];
  report('wrong-endpoint', where, message, 'move it to update, delete or execute');
}

/** Methods that an endpoint cannot have, because its tool is labelled harmless. A POST may be a search. */
const WRONG_METHODS: Readonly<Partial<Record<Endpoint, readonly string[]>>> = {
  read: ['PUT', 'PATCH', 'DELETE'],
  create: ['DELETE'],
};

function reportMethod(
  { maps_to }: OperationDocument,
  endpoint: Endpoint,
  path: Path,
  report: Report,
): void {
  const mapping = parseMapsTo(maps_to);
  if (mapping?.kind !== 'http' || !WRONG_METHODS[endpoint]?.includes(mapping.method)) return;
  const message = `is a ${mapping.method}, but the tool for ${endpoint} is labelled harmless`;
  const advice = `move it to ${mapping.method === 'DELETE' ? 'delete' : 'update'}`;
  report('wrong-endpoint', [...path, 'maps_to'], message, advice);
}

/** A union must have forms, and other types must not. */
function reportForms(shape: ValueShape, path: Path, report: Report): void {
  const { type, one_of } = shape;
  if (shape.shape === undefined && (type === 'union') !== (one_of !== undefined)) {
    const message = type === 'union' ? 'is a union without forms' : 'has forms but is not a union';
    report('contradiction', [...path, 'type'], message, 'write type: union together with one_of');
  }
  for (const [place, part] of shapeParts(shape)) reportForms(part, [...path, ...place], report);
}

function reportParam(param: ParamDocument, path: Path, report: Report): void {
  const { type, pattern, default: standard, minimum, maximum } = param;
  if (pattern !== undefined && !isRegularExpression(pattern)) {
    const advice = 'write one such as "^[A-Z]{2}$"';
    report('wrong-pattern', [...path, 'pattern'], 'is not a regular expression', advice);
  }
  if (standard !== undefined) {
    if (!typeFits(standard, param)) {
      report(
        'wrong-default',
        [...path, 'default'],
        `is not of type ${type}`,
        `write a value of type ${type}`,
      );
    } else if (param.enum && !param.enum.includes(standard as string)) {
      const advice = `write ${param.enum.map((word) => JSON.stringify(word)).join(' or ')}`;
      report('wrong-default', [...path, 'default'], 'is not one of the values of enum', advice);
    }
    if (param.required) {
      const advice = 'keep required or default, not both';
      report(
        'contradiction',
        [...path, 'default'],
        'has no effect: the parameter is required',
        advice,
      );
    }
  }
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    report('contradiction', [...path, 'minimum'], 'is above the maximum', 'swap the two');
  }
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
