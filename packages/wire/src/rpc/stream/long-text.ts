/** A message with a long list, which is encoded once and sent to many clients. */

/** Anything that a listener can send. */
export type Text = string | LongText;

/** Immutable. Many messages share one body. */
export class LongText {
  readonly head: string;
  /** Must not contain line breaks. */
  readonly body: Buffer;
  readonly tail: string;

  constructor(head: string, body: Buffer, tail: string) {
    this.head = head;
    this.body = body;
    this.tail = tail;
  }

  /** In bytes, roughly. */
  get length(): number {
    return this.head.length + this.body.length + this.tail.length;
  }

  get byteLength(): number {
    return Buffer.byteLength(this.head) + this.body.length + Buffer.byteLength(this.tail);
  }

  /** The whole text, for callers that need it in one piece. Copies the body. */
  toString(): string {
    return `${this.head}${this.body.toString()}${this.tail}`;
  }
}

/** A text with more text before and after it. A long body is not copied. */
export function around(head: string, text: Text, tail: string): Text {
  if (typeof text === 'string') return head + text + tail;
  return new LongText(head + text.head, text.body, text.tail + tail);
}
