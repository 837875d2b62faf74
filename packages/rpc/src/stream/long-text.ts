/** A message with a long body, which is sent in parts without being concatenated. */

/** What a listener can send. */
export type Text = string | LongText;

/** Text from this length on is not concatenated. */
export const LONG: number = 16 * 1024;

export class LongText {
  readonly head: string;
  /** Without line breaks. Bytes if it is sent repeatedly. */
  readonly body: Buffer | string;
  readonly tail: string;
  /** Whether the body is shared with others, so that sending it costs no memory. */
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

  /** The whole text, for callers that need it in one piece. */
  toString(): string {
    return `${this.head}${this.body.toString()}${this.tail}`;
  }
}

export function around(head: string, text: Text, tail: string): Text {
  if (typeof text === 'string') return head + text + tail;
  return new LongText(head + text.head, text.body, text.tail + tail, text.isShared);
}
