// Writes one file of types: the declarations that an entry exports, and those that they refer to.
// It reads the output of `tsc`: one declaration after another, imports and exports by name.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const IMPORT = /^(import|export) (?:type )?\{([^}]*)\} from ['"]([^'"]+)['"];$/s;
const LOCAL_EXPORT = /^export (?:type )?\{([^}]*)\};$/s;
const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|const|function) (\w+)/;

/** `packageTypes` finds the types of a package. Returns the text, and the files that it came from. */
export function bundleTypes(entry, packageTypes) {
  const modules = new Map();
  /** From a name to the text of its declaration and the file that has it. */
  const taken = new Map();

  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(file, packageTypes));
    return modules.get(file);
  };

  const take = (file, name) => {
    const { declared, imported } = moduleOf(file);
    if (imported.has(name)) return take(imported.get(name), name);
    if (!declared.has(name)) throw new Error(`${file} declares no ${name}.`);
    const known = taken.get(name);
    if (known?.file === file) return;
    if (known) throw new Error(`${name} is declared in ${known.file} and in ${file}.`);
    const text = declared.get(name);
    taken.set(name, { file, text });
    for (const [word] of withoutComments(text).matchAll(/[A-Za-z_$][\w$]*/g)) {
      if (word !== name && (declared.has(word) || imported.has(word))) take(file, word);
    }
  };

  const { exported } = moduleOf(entry);
  for (const name of exported) take(entry, name);
  const texts = Array.from(taken, ([name, { text }]) =>
    exported.includes(name) ? text : text.replace(/^export /m, ''),
  );
  // Without the last line, all declarations would count as exported.
  return { text: `${texts.join('\n')}\nexport {};\n`, files: [...modules.keys()] };
}

function readModule(file, packageTypes) {
  const declared = new Map();
  const imported = new Map();
  const exported = [];
  for (const statement of statementsOf(readFileSync(file, 'utf8'))) {
    const bare = withoutComments(statement).trim();
    const [, kind, names, from] = IMPORT.exec(bare) ?? [];
    const [, local] = LOCAL_EXPORT.exec(bare) ?? [];
    const [, name] = DECLARATION.exec(bare) ?? [];
    if (from !== undefined) {
      const target = from.startsWith('.')
        ? resolve(dirname(file), from.replace(/\.js$/, '.d.ts'))
        : packageTypes(from);
      for (const each of namesIn(names)) imported.set(each, target);
      if (kind === 'export') exported.push(...namesIn(names));
    } else if (local !== undefined) exported.push(...namesIn(local));
    else if (name !== undefined) {
      declared.set(name, statement.trim());
      if (bare.startsWith('export ')) exported.push(name);
    } else throw new Error(`${file}: cannot read "${bare.slice(0, 80)}".`);
  }
  return { declared, imported, exported };
}

/** A statement starts with its keyword at the first column, or with the comment above that. */
function statementsOf(text) {
  const code = text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
  const start = /^(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?(?:export|import|declare|interface|type)\b/gm;
  const starts = Array.from(code.matchAll(start), ({ index }) => index);
  return starts.map((from, i) => code.slice(from, starts[i + 1]));
}

function namesIn(list) {
  const names = list.split(',').map((name) => name.trim().replace(/^type /, ''));
  const renamed = names.find((name) => name.includes(' as '));
  if (renamed) throw new Error(`Cannot bundle the renamed type ${renamed}.`);
  return names.filter((name) => name !== '');
}

function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
