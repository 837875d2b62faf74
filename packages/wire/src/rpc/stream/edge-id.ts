/** Finds the id of a message that is too long to be read, from its first and last characters. */

/** Bytes that are read at each end. */
export const EDGE = 1_024;

const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{0,200}")\s*`;
const CLOSING = new RegExp(String.raw`,\s*${ID}(?:,\s*${VERSION})?\}\s*$`);

/** The id of an answer, as JSON text. */
export const answerId: EdgeId = edgeId('result|error');
/** The id of a request, as JSON text. */
export const requestId: EdgeId = edgeId('method|params');

type EdgeId = (head: string, tail: string) => string | undefined;

/**
 * A member directly after the first brace, or directly before the last one, belongs to the message
 * itself. No nested member can be there.
 */
function edgeId(members: string): EdgeId {
  const opening = new RegExp(
    String.raw`^\s*\{\s*(?:${VERSION},\s*)?(?:${ID},\s*(?:${VERSION},\s*)?)?"(?:${members})"\s*:`,
  );
  return (head, tail) => {
    const opened = opening.exec(head.slice(0, EDGE));
    return opened ? (opened[1] ?? CLOSING.exec(tail.slice(-EDGE))?.[1]) : undefined;
  };
}
