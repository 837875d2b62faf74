/** A reply that the browser saves as a file. */

export interface TextDownloadOptions {
  readonly name: string;
  /** Its media type. */
  readonly type: string;
  readonly parts: AsyncIterable<string>;
}

export class TextDownload {
  readonly name: string;
  readonly type: string;
  readonly parts: AsyncIterable<string>;

  constructor({ name, type, parts }: TextDownloadOptions) {
    this.name = name;
    this.type = type;
    this.parts = parts;
  }
}
