/**
 * A message on one line. Between tokens a line break is white space; within strings JSON has none.
 */
export function oneLine(json: string): string {
  const isOneLine = !json.includes('\n') && !json.includes('\r');
  return isOneLine ? json : json.replaceAll(/[\r\n]+/g, ' ');
}
