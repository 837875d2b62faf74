import { explain, lintAnnotations, resolveHints, riskOf } from '@callsign/annotations';
import { createNameTable, lintNames, profileById } from '@callsign/naming';

import { OFFICIAL_SERVERS, readToolList } from './tool-list.mjs';

const CLIENTS = ['canonical', 'claude-desktop', 'cursor'];

const keys = Object.keys(OFFICIAL_SERVERS);
const lists = await Promise.all(Object.values(OFFICIAL_SERVERS).map(readToolList));
const tools = lists.flatMap((list, i) => list.tools.map((tool) => ({ server: keys[i], tool })));
const refs = tools.map(({ server, tool }) => ({ server, tool: tool.name }));
const tables = CLIENTS.map((id) => createNameTable(refs, { profile: profileById(id) }));

const rows = tools.map(({ tool }, i) => {
  const hints = resolveHints({ claim: tool.annotations, trust: 'trusted' });
  return [...tables.map((table) => table.tools[i].name), riskOf(hints), explain(hints)];
});
const headings = [...CLIENTS, 'risk', 'what it does'];
const widths = headings.map((_, column) =>
  Math.max(...[headings, ...rows].map((cells) => cells[column].length)),
);
for (const cells of [headings, ...rows]) {
  console.log(
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}

const findings = lists.flatMap((list, i) => [
  ...lintNames(list.tools, { key: keys[i] }),
  ...lintAnnotations(list.tools),
]);
const count = (severity) => findings.filter((finding) => finding.severity === severity).length;
console.log(
  `\n${tools.length} tools of ${lists.length} servers; the linter has ${count('error')} errors, ` +
    `${count('warning')} warnings and ${count('info')} remarks. See docs/lint.`,
);
