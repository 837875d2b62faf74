// Lists the mutants of a source file, and the places where its functions are entered.
import { parseSync } from 'oxc-parser';

import { MUTATORS } from './mutators.mjs';

const LONGEST = 90;

/**
 * The mutants of a file. `unit` is the number of the function that holds it (0: the module itself).
 * `in`, `change` and `nth` name a mutant; they stay the same when other parts of the file change.
 */
export function listMutants(file, source) {
  const mutants = [];
  const edits = new Set();
  const seen = new Map();
  walkFile(file, source, (node, { parent, unit, names }) => {
    for (const edit of MUTATORS[node.type]?.(node, source, parent) ?? []) {
      const place = `${edit.start}-${edit.end}:${edit.text}`;
      const mutated = apply(source, [edit]);
      if (edits.has(place) || parseSync(file, mutated).errors.length > 0) continue;
      edits.add(place);
      const { start, end } = edit.of;
      const grown = mutated.length - source.length;
      const where = names.join('.') || 'module';
      const change = `${short(source.slice(start, end))} → ${short(mutated.slice(start, end + grown)) || 'nothing'}`;
      const nth = (seen.get(`${where} ${change}`) ?? 0) + 1;
      seen.set(`${where} ${change}`, nth);
      const line = source.slice(0, edit.start).split('\n').length;
      mutants.push({ file, line, unit, in: where, change, nth, edit: pick(edit) });
    }
  });
  return mutants;
}

/** The source with a call of `hit(unit)` at the beginning of each function. */
export function markFunctions(file, source, hit) {
  const edits = [{ start: 0, end: 0, text: `${hit(0)};` }];
  walkFile(file, source, (node, { unit }) => {
    const { body } = node;
    if (!isFunction(node) || !body) return;
    const block = body.type === 'BlockStatement' || body.type === 'FunctionBody';
    if (block) edits.push({ start: body.start + 1, end: body.start + 1, text: `${hit(unit)};` });
    else {
      edits.push({ start: body.start, end: body.start, text: `(${hit(unit)},` });
      edits.push({ start: body.end, end: body.end, text: ')' });
    }
  });
  return apply(source, edits);
}

export function apply(source, edits) {
  let result = source;
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + text + result.slice(end);
  }
  return result;
}

/** Visits every node that runs. A function's own node, its parameters and its body belong to its unit. */
function walkFile(file, source, visit) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  let units = 0;
  const walk = (node, parent, unit, names) => {
    if (isErased(node)) return;
    const inside = isFunction(node) ? ++units : unit;
    const name = nameOf(node);
    const path = name === undefined ? names : [...names, name];
    visit(node, { parent, unit: inside, names: path });
    for (const child of children(node)) walk(child, node, inside, path);
  };
  walk(program, program, 0, []);
}

function children(node) {
  return Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string');
}

function isFunction({ type }) {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);
}

/** Types and imports do not exist at run time. */
function isErased({ type }) {
  if (/^TS(As|Satisfies|NonNull)/.test(type)) return false;
  return type.startsWith('TS') || type === 'ImportDeclaration' || type === 'ExportAllDeclaration';
}

function nameOf(node) {
  if (
    /^(FunctionDeclaration|FunctionExpression|ClassDeclaration|VariableDeclarator)$/.test(node.type)
  ) {
    return node.id?.name;
  }
  const isMember = /^(MethodDefinition|PropertyDefinition)$/.test(node.type);
  return isMember ? (node.key.name ?? node.key.value) : undefined;
}

function pick({ start, end, text }) {
  return { start, end, text };
}

function short(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
