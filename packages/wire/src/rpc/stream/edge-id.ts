/** Finds the id of a message that is too long to be read, from its first and last characters. */

/** Bytes that are read at each end. */
export const EDGE = 1_024;

const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{0,200}")\s*`;
const CLOSING = new RegExp(String.raw`,\s*${ID}(?:,\s*${VERSION})?\}\s*$`);

const ANSWER = openingWith('result|error');

/** The id of an answer, as JSON text. */
export const answerId: EdgeId = edgeId(ANSWER);
/** The id of a request, as JSON text. */
export const requestId: EdgeId = edgeId(openingWith('method|params'));

/** Whether this is the beginning of an answer. Its id may stand at its end. */
export function opensAnswer(head: string): boolean {
  return ANSWER.test(head.slice(0, EDGE));
}

type EdgeId = (head: string, tail: string) => string | undefined;

/**
 * A member directly after the first brace, or directly before the last one, belongs to the message
 * itself. No nested member can be there.
 */
function edgeId(opening: RegExp): EdgeId {
  return (head, tail) => {
    const opened = opening.exec(head.slice(0, EDGE));
    return opened ? (opened[1] ?? CLOSING.exec(tail.slice(-EDGE))?.[1]) : undefined;
  };
}

function openingWith(members: string): RegExp {
  return new RegExp(
    String.raw`^\s*\{\s*(?:${VERSION},\s*)?(?:${ID},\s*(?:${VERSION},\s*)?)?"(?:${members})"\s*:`,
  );
}
