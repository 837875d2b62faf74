/**
 * Binary parts of an answer. MCP results carry them beside the text, so that no model reads base64.
 */

/** An answer that is not text. As plain JSON, for programs, it contains its bytes in base64. */
export class BinaryAnswer {
  readonly content_type: string;
  readonly size: number;
  readonly base64: string;

  constructor(contentType: string, bytes: Buffer) {
    this.content_type = contentType;
    this.size = bytes.length;
    this.base64 = bytes.toString('base64');
  }
}

/** A binary part as MCP content: image, audio, or a resource for everything else. */
export type AttachedContent =
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    };

/** Collects the binary parts of one result while its text is written. */
export class Attachments {
  readonly content: AttachedContent[] = [];

  /** The text of a value, with a reference for each binary part. */
  textOf(value: unknown): string {
    return JSON.stringify(value, (_, part: unknown) =>
      part instanceof BinaryAnswer ? this.#attach(part) : part,
    );
  }

  #attach({ content_type, size, base64 }: BinaryAnswer): object {
    const mimeType = content_type.split(';', 1)[0]!.trim();
    const [kind] = mimeType.split('/', 1);
    const attachment = this.content.length + 1;
    if (kind === 'image' || kind === 'audio') {
      this.content.push({ type: kind, data: base64, mimeType });
      return { content_type, size, attachment };
    }
    const resource = `mcpaql://attachments/${attachment}`;
    this.content.push({ type: 'resource', resource: { uri: resource, mimeType, blob: base64 } });
    return { content_type, size, attachment, resource };
  }
}

/** The value with its bytes, for programs. `attached` is the content besides the text. */
export function withBytes(value: unknown, attached: readonly AttachedContent[]): unknown {
  if (typeof value !== 'object' || value === null || !('attachment' in value)) return value;
  const part = attached[Number(value.attachment) - 1];
  if (!part || !('content_type' in value) || !('size' in value)) return value;
  const { content_type, size } = value;
  return { content_type, size, base64: part.type === 'resource' ? part.resource.blob : part.data };
}
