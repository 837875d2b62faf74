/** A message around something long, which is sent without being put together. */

/** What a listener can send. */
export type Text = string | LongText;

/** Text from this length on is not put together. */
export const LONG: number = 16 * 1024;

export class LongText {
  readonly head: string;
  /** Without line breaks. Bytes if it is sent again and again. */
  readonly body: Buffer | string;
  readonly tail: string;
  /** Whether the body is kept for others too, so that sending it costs no memory. */
  readonly isShared: boolean;

  constructor(head: string, body: Buffer | string, tail: string, isShared: boolean = false) {
    this.head = head;
    this.body = body;
    this.tail = tail;
    this.isShared = isShared;
  }

  get byteLength(): number {
    const { head, body, tail } = this;
    return Buffer.byteLength(head) + Buffer.byteLength(body) + Buffer.byteLength(tail);
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
