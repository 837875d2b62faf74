/** Quotes text of a server or a caller, so that it cannot change how the text around it looks. */

/** Letters that are written from right to left. They also turn the signs between them around. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]+/gu;

/**
 * A code span: clients that render Markdown show its text as it is, others show the backticks. A
 * backtick inside is escaped as in JSON. Text from right to left is isolated.
 */
export function quoted(text: string): string {
  const safe = text
    .replaceAll('`', '\\u0060')
    .replaceAll(/\s/g, ' ')
    .replaceAll(RIGHT_TO_LEFT, '\u2068$&\u2069');
  return `\`${safe}\``;
}
