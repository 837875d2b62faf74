/** Reads one line of a socket. Bytes after it stay in the socket, for the next reader. */

import type { Socket } from 'node:net';

const NEWLINE = 10;

/** `undefined`: the other side has left, or sends more than `maxBytes` without a newline. */
export function readLine(socket: Socket, maxBytes: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (line: string | undefined): void => {
      socket.off('readable', look).off('end', left).off('error', left).off('close', left);
      resolve(line);
    };
    const left = (): void => settle(undefined);
    const look = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read()) {
        const at = chunk.indexOf(NEWLINE);
        chunks.push(at === -1 ? chunk : chunk.subarray(0, at));
        size += chunk.length;
        if (at === -1 && size > maxBytes) return left();
        if (at === -1) continue;
        if (at + 1 < chunk.length) socket.unshift(chunk.subarray(at + 1));
        return settle(Buffer.concat(chunks).toString());
      }
    };
    socket.on('readable', look).once('end', left).once('error', left).once('close', left);
    look();
  });
}
