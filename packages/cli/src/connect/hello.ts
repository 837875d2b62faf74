/**
 * The hello on a socket, before the messages of MCP. Each side proves that it knows the key, and sends nothing secret
 * before the other one has: a file mode or the name of a pipe is not enough.
 *
 *   connect → gateway   { handshake, nonce }
 *   gateway → connect   { handshake, nonce, proof }
 *   connect → gateway   { proof, hello }
 *   gateway → connect   { ok, version, set } or { error }
 *
 * The nonces and proofs are the same in every handshake. So no one without the key can make a gateway end by claiming a
 * newer one.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';

import { readLine } from './read-line.js';

/** Raised if a gateway and a `connect` with different numbers could not talk. */
export const HANDSHAKE = 1;
const MAX_LINE = 4 * 1024 * 1024;

/** What `connect` says about its client. */
export interface Hello {
  readonly version: string;
  /** The configuration, without links. */
  readonly config: string;
  /** The working folder of the client. */
  readonly folder: string;
  /** `PATH`, and the variables that the configuration names. */
  readonly env: Readonly<Record<string, string>>;
  readonly profile?: string | undefined;
  readonly set?: string | undefined;
  /** The program that starts a gateway of this version. */
  readonly command: readonly string[];
}

/**
 * Why a side refuses. `code`: `handshake` if the other one speaks an unknown handshake, `left` if it has closed the
 * connection, as a gateway does that is ending.
 */
export class HelloError extends Error {
  readonly code: 'handshake' | 'key' | 'left' | 'refused';
  /** The handshake of the other side. */
  readonly handshake: number;

  constructor(code: HelloError['code'], message: string, handshake: number = HANDSHAKE) {
    super(message);
    this.code = code;
    this.handshake = handshake;
  }
}

type Role = 'connect' | 'gateway';

function proofOf(key: Buffer, role: Role, connect: string, gateway: string): string {
  return createHmac('sha256', key).update(`${role}\n${connect}\n${gateway}`).digest('hex');
}

function checkProof(given: unknown, wanted: string): void {
  const proof = Buffer.from(typeof given === 'string' ? given : '', 'hex');
  const expected = Buffer.from(wanted, 'hex');
  if (proof.length !== expected.length || !timingSafeEqual(proof, expected)) {
    throw new HelloError('key', 'The other side does not know the key.');
  }
}

const newNonce = (): string => randomBytes(16).toString('hex');

/** The side of `connect`. Resolves with the version of the gateway. `speaks`: the handshake of this side. */
export async function sayHello(
  socket: Socket,
  key: Buffer,
  hello: Hello,
  speaks: number = HANDSHAKE,
): Promise<string> {
  const own = newNonce();
  send(socket, { handshake: speaks, nonce: own });
  const { handshake, nonce, proof } = await readMessage(socket);
  checkProof(proof, proofOf(key, 'gateway', own, String(nonce)));
  const ownProof = proofOf(key, 'connect', own, String(nonce));
  if (handshake !== speaks) {
    // An older gateway ends when it has seen the proof.
    send(socket, { proof: ownProof });
    const message = `The gateway speaks handshake ${String(handshake)}, and this command ${speaks}.`;
    throw new HelloError('handshake', message, Number(handshake));
  }
  send(socket, { proof: ownProof, hello });
  const { ok, version, set, error } = await readMessage(socket);
  if (ok !== true) throw new HelloError('refused', String(error ?? 'The gateway refused.'));
  // A gateway that knows no sets would offer everything.
  if (set !== hello.set) throw new HelloError('refused', 'It is older, and knows no sets.');
  return String(version);
}

/** The side of the gateway. `check` says what is wrong with the hello. */
export async function answerHello(
  socket: Socket,
  key: Buffer,
  version: string,
  check: (hello: Hello) => string | undefined,
): Promise<Hello> {
  const { handshake, nonce } = await readMessage(socket);
  const own = newNonce();
  const theirs = String(nonce);
  send(socket, { handshake: HANDSHAKE, nonce: own, proof: proofOf(key, 'gateway', theirs, own) });
  const { proof, hello } = await readMessage(socket);
  checkProof(proof, proofOf(key, 'connect', theirs, own));
  if (handshake !== HANDSHAKE) {
    throw new HelloError('handshake', 'It speaks another handshake.', Number(handshake));
  }
  if (!isHello(hello)) throw new HelloError('refused', 'The hello has an unknown form.');
  const error = check(hello);
  send(socket, error === undefined ? { ok: true, version, set: hello.set } : { error });
  if (error !== undefined) throw new HelloError('refused', error);
  return hello;
}

function isHello(value: unknown): value is Hello {
  const { version, config, folder, env, command, set } = (value ?? {}) as Partial<
    Record<keyof Hello, unknown>
  >;
  if (typeof env !== 'object' || env === null || !Array.isArray(command)) return false;
  const named = set === undefined ? [] : [set];
  const texts = [
    version,
    config,
    folder,
    ...named,
    ...Object.values(env),
    ...(command as unknown[]),
  ];
  return texts.every((each) => typeof each === 'string');
}

function send(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** One line as an object. */
async function readMessage(socket: Socket): Promise<Record<string, unknown>> {
  const line = await readLine(socket, MAX_LINE);
  if (line === undefined) throw new HelloError('left', 'The other side has left.');
  const message = objectIn(line);
  if (!message) throw new HelloError('refused', 'The other side does not speak our handshake.');
  return message;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
