/** A message with a long body. It is sent in parts that are never joined. */

/** Anything that a listener can send. */
export type Text = string | LongText;

/** Characters. Longer text is not joined with other text. */
export const LONG: number = 16 * 1024;

/** Immutable. Many messages may share one body. */
export class LongText {
  readonly head: string;
  /** Must not contain line breaks. */
  readonly body: Buffer | string;
  readonly tail: string;
  /** Whether other messages use the same body, so that sending it needs no more memory. */
  readonly isShared: boolean;
  #bodyBytes: number | undefined;

  constructor(head: string, body: Buffer | string, tail: string, isShared: boolean = false) {
    this.head = head;
    this.body = body;
    this.tail = tail;
    this.isShared = isShared;
  }

  /** In characters, or in bytes where the body is bytes. */
  get length(): number {
    return this.head.length + this.body.length + this.tail.length;
  }

  get byteLength(): number {
    return Buffer.byteLength(this.head) + this.bodyBytes + Buffer.byteLength(this.tail);
  }

  /** Counted once: a long text takes a millisecond. */
  get bodyBytes(): number {
    return (this.#bodyBytes ??= Buffer.byteLength(this.body));
  }

  /** The whole text, for callers that need it in one piece. Copies the body. */
  toString(): string {
    return `${this.head}${this.body.toString()}${this.tail}`;
  }
}

/** A text with more text before and after it. A long body is not copied. */
export function around(head: string, text: Text, tail: string): Text {
  if (typeof text === 'string') return head + text + tail;
  return new LongText(head + text.head, text.body, text.tail + tail, text.isShared);
}
