/** The response of Node to a client that the test controls. */

import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

import { HttpResponse } from '../http-response.js';

export class FakeResponse extends EventEmitter {
  readonly socket = {};
  /** What was written, piece by piece. */
  readonly pieces: (string | Buffer)[] = [];
  /** Called for each piece; the client takes it when it calls back. */
  onPiece: (taken: () => void) => void = () => undefined;
  writableLength = 0;
  headersSent = false;
  writableEnded = false;
  destroyed = false;

  get text(): string {
    return this.pieces.join('');
  }

  get length(): number {
    return this.pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  setHeader(): void {}

  flushHeaders(): void {}

  writeHead(): this {
    this.headersSent = true;
    return this;
  }

  write(piece: string | Buffer, onTaken: () => void = () => undefined): boolean {
    this.pieces.push(piece);
    this.onPiece(onTaken);
    return true;
  }

  end(text?: string): void {
    if (text !== undefined) this.pieces.push(text);
    this.writableEnded = true;
    this.close();
  }

  /** The client disconnects. */
  close(): void {
    this.destroyed = true;
    this.emit('close');
  }

  get asResponse(): HttpResponse {
    return new HttpResponse(this as unknown as ServerResponse);
  }
}
