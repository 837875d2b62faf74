// The kinds of change that make a mutant. Each takes a syntax node and returns edits: a range of
// the source and its new text.

const COMPARISONS = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
};
const ARITHMETIC = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '&': '|', '|': '&' };
const ASSIGNMENTS = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '??=': '&&=',
  '||=': '&&=',
  '&&=': '||=',
};
const METHODS = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
};
/** Calls that may be left out: `list.filter(f)` becomes `list`. */
const SKIPPABLE =
  /^(filter|slice|trim|trimStart|trimEnd|sort|toSorted|reverse|normalize|concat|flat|toLowerCase|toUpperCase)$/;

export const MUTATORS = {
  IfStatement: ({ test }) => both(test),
  ConditionalExpression: ({ test }) => both(test),
  WhileStatement: ({ test }) => [replace(test, 'false')],
  DoWhileStatement: ({ test }) => [replace(test, 'false')],
  ForStatement: ({ test }) => (test ? [replace(test, 'false')] : []),

  BinaryExpression(node, source) {
    const others = COMPARISONS[node.operator] ?? [];
    if (others.length > 0) return others.map((other) => operator(node, other));
    const other = ARITHMETIC[node.operator];
    return other === undefined || joinsText(node, source) ? [] : [operator(node, other)];
  },
  LogicalExpression(node, source) {
    if (node.operator !== '??') return [operator(node, node.operator === '&&' ? '||' : '&&')];
    return [replace(node, text(node.left, source)), replace(node, text(node.right, source))];
  },
  UnaryExpression(node, source) {
    return node.operator === '!' || node.operator === '-'
      ? [replace(node, text(node.argument, source))]
      : [];
  },
  UpdateExpression(node, source) {
    const other = node.operator === '++' ? '--' : '++';
    return [replace(node, text(node, source).replace(node.operator, other))];
  },
  AssignmentExpression(node) {
    const other = ASSIGNMENTS[node.operator];
    return other === undefined ? [] : [operator(node, other)];
  },

  Literal(node, source, parent) {
    if (typeof node.value === 'boolean') return [replace(node, String(!node.value))];
    if (node.regex) return anchors(node);
    if (typeof node.value !== 'string' || !isValue(node, parent)) return [];
    if (node.value === '') return [replace(node, "'mutant'")];
    // A text with a space is prose for people, not behaviour.
    return /\s/.test(node.value) ? [] : [replace(node, "''")];
  },
  TemplateLiteral(node, source, parent) {
    const words = node.quasis.map(({ value }) => value.raw).join('');
    const isProse = /\s/.test(words) || parent.type === 'TaggedTemplateExpression';
    return isProse ? [] : [replace(node, "''")];
  },
  ArrayExpression: (node) => (node.elements.length > 0 ? [replace(node, '[]')] : []),
  ObjectExpression: (node) => (node.properties.length > 0 ? [replace(node, '{}')] : []),

  MemberExpression: (node, source) =>
    node.optional ? [unchain(node, node.object, node.computed ? '' : '.', source)] : [],
  CallExpression(node, source) {
    const edits = node.optional ? [unchain(node, node.callee, '', source)] : [];
    const { callee } = node;
    if (callee.type !== 'MemberExpression' || callee.computed) return edits;
    const method = callee.property.name;
    // In a table each value is there once, so the first and the last position are the same.
    const isTable = /IndexOf$/i.test(method) && /^[A-Z_]+$/.test(callee.object.name ?? '');
    if (Object.hasOwn(METHODS, method) && !isTable)
      edits.push(replace(callee.property, METHODS[method], node));
    if (SKIPPABLE.test(method)) edits.push(replace(node, text(callee.object, source)));
    return edits;
  },

  ExpressionStatement(node) {
    const { expression } = node;
    const isKept = Boolean(node.directive) || expression.callee?.type === 'Super';
    return isKept || expression.type === 'UpdateExpression' ? [] : [replace(node, ';')];
  },
  ThrowStatement: (node) => [replace(node, ';')],
  ContinueStatement: (node) => [replace(node, ';')],
  BreakStatement: (node) => [replace(node, ';')],
  ReturnStatement: ({ argument }) => (argument ? nothing(argument) : []),
  ArrowFunctionExpression: ({ body }) => (body.type === 'BlockStatement' ? [] : nothing(body)),
};

/** An edit. `of` is the node that the report shows. */
function replace(node, newText, of = node) {
  return { start: node.start, end: node.end, text: newText, of };
}

function operator(node, newOperator) {
  return { start: node.left.end, end: node.right.start, text: ` ${newOperator} `, of: node };
}

function unchain(node, before, newText, source) {
  const start = source.indexOf('?.', before.end);
  return { start, end: start + 2, text: newText, of: node };
}

function both(test) {
  return test.type === 'Literal' ? [] : [replace(test, 'true'), replace(test, 'false')];
}

/** A returned value becomes undefined. Booleans have their own change. */
function nothing(value) {
  const isNothing = value.name === 'undefined' || (value.type === 'Literal' && !value.regex);
  return isNothing ? [] : [replace(value, 'undefined')];
}

function anchors(node) {
  const { pattern, flags } = node.regex;
  const bare = [];
  if (/^\^./.test(pattern)) bare.push(pattern.slice(1));
  if (/[^\\]\$$/.test(pattern)) bare.push(pattern.slice(0, -1));
  return bare.map((rest) => replace(node, `/${rest}/${flags}`));
}

/** False for names of properties and modules, and for texts in an equality, which has its own change. */
function isValue(node, parent) {
  if (parent.type === 'BinaryExpression') return parent.operator === '+';
  if (/^(Import|Export)/.test(parent.type)) return false;
  return !(parent.key === node && !parent.computed);
}

function joinsText(node, source) {
  return node.operator === '+' && /^['"`]|['"`]$/.test(source.slice(node.start, node.end));
}

function text(node, source) {
  return source.slice(node.start, node.end);
}
