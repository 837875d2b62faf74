/** A message around something long that is kept as bytes, and sent without being put together. */

/** What a listener can send. */
export type Text = string | LongText;

/** Text from this length on is sent as bytes. */
export const LONG: number = 16 * 1024;

export class LongText {
  readonly head: string;
  /** Without line breaks. */
  readonly body: Buffer;
  readonly tail: string;
  /** Whether the body is kept for others too, so that sending it costs no memory. */
  readonly isShared: boolean;

  constructor(head: string, body: Buffer, tail: string, isShared: boolean = false) {
    this.head = head;
    this.body = body;
    this.tail = tail;
    this.isShared = isShared;
  }

  get byteLength(): number {
    return Buffer.byteLength(this.head) + this.body.length + Buffer.byteLength(this.tail);
  }

  /** For those who can only take it as a whole. */
  toString(): string {
    return `${this.head}${this.body.toString()}${this.tail}`;
  }
}

export function around(head: string, text: Text, tail: string): Text {
  if (typeof text === 'string') return head + text + tail;
  return new LongText(head + text.head, text.body, text.tail + tail, text.isShared);
}
