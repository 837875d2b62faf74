/** The text without a byte order mark, which some editors write at the beginning of a file. */
export function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
