/**
 * Reads the chunks of a pipe into memory that is used again. A stream of Node takes 64 KiB of new memory for each
 * chunk, however short it is. With one short message per chunk, that costs more than to read the message.
 */

import { Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';

/** Bytes. As much as Node reads at once. */
const CHUNK = 64 * 1024;

/** Stops and continues to read. */
export interface Flow {
  pause(): unknown;
  resume(): unknown;
}

/** What a socket reads from. Node has no public way to choose the memory of a pipe that is already open. */
interface Handle {
  reading: boolean;
  readStop(): void;
  useUserBuffer(buffer: Buffer): void;
}

type WithHandle = Readable & { _handle?: Handle | null };

/**
 * Calls back with each chunk, which is valid until the callback returns, or while the flow is paused. The pipe itself
 * still says when it ends, fails and is closed.
 */
export function readChunks(pipe: Readable, onChunk: (chunk: Buffer) => void): Flow {
  const handle = handleOf(pipe);
  if (!handle) return pipe.on('data', onChunk);
  Object.assign(pipe, { _handle: null });
  handle.readStop();
  handle.reading = false;
  const buffer = Buffer.allocUnsafeSlow(CHUNK);
  const callback = (length: number): boolean => {
    onChunk(buffer.subarray(0, length));
    return true;
  };
  // What the pipe has read before comes first. Its end comes after that.
  process.nextTick(() => {
    for (let chunk = pipe.read(); chunk !== null; chunk = pipe.read()) onChunk(chunk as Buffer);
  });
  const options = { handle, readable: true, writable: false, onread: { buffer, callback } };
  const reader = new Socket(options as SocketConstructorOpts);
  reader.once('end', () => {
    pipe.push(null);
    pipe.resume();
  });
  reader.once('error', (error) => pipe.destroy(error));
  reader.once('close', () => pipe.destroy());
  pipe.once('close', () => reader.destroy());
  return reader;
}

/** `undefined`: it is another kind of stream, or this Node has no such handle. */
function handleOf(pipe: Readable): Handle | undefined {
  const { _handle: handle } = pipe as WithHandle;
  const isPipe = pipe instanceof Socket && handle?.constructor.name === 'Pipe';
  return isPipe && typeof handle.useUserBuffer === 'function' ? handle : undefined;
}
