// The prose lint: looks through the texts of files for words and sentences that make a reader stop.
import { flawsOf } from './rules.mjs';
import { textsOf } from './texts.mjs';

/** The findings in one file: `{ file, line, kind, text, message }`. */
export function lintFile(file, source) {
  return textsOf(file, source).flatMap((each) =>
    flawsOf(each).map((flaw) => ({ file, line: each.line, kind: each.kind, ...flaw })),
  );
}

/**
 * Sorts findings into those that are errors, those that are allowed and those of files that are not done yet.
 * `unused` are exceptions that no finding needed, `clean` are folders on the list that have no finding.
 */
export function judge(findings, { allowed, pending }) {
  const errors = [];
  const used = new Set();
  const counts = new Map(pending.map((folder) => [folder, 0]));
  for (const finding of findings) {
    const exception = allowed.find(
      ({ file, text }) => file === finding.file && text === finding.text,
    );
    const folder = pending.find(
      (each) => finding.file === each || finding.file.startsWith(`${each}/`),
    );
    if (exception) used.add(exception);
    else if (folder !== undefined) counts.set(folder, counts.get(folder) + 1);
    else errors.push(finding);
  }
  return {
    errors,
    unused: allowed.filter((each) => !used.has(each)),
    waiting: [...counts].filter(([, count]) => count > 0),
    clean: [...counts].filter(([, count]) => count === 0).map(([folder]) => folder),
  };
}
