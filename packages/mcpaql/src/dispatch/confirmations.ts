/** Confirmation tokens. Each is valid for one call with the same parameters, for a short time. */

import { randomBytes } from 'node:crypto';

import type { Operation } from '../adapter/adapter.js';
import { fingerprint } from '../adapter/review.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { Params } from '../protocol/validate.js';

interface Issued {
  readonly operation: string;
  readonly paramsHash: string;
  readonly owner: string;
  readonly expiresAt: number;
  used: boolean;
}

export interface ConfirmationsOptions {
  readonly now?: () => number;
}

const MAX_TOKENS = 1000;
const LIFETIME_MS = 5 * 60_000;
/** For forbidden operations: their confirmation must be recent. */
const SHORT_LIFETIME_MS = 2 * 60_000;

/** In memory: tokens do not survive a restart. */
export class Confirmations {
  readonly #issued = new Map<string, Issued>();
  readonly #now: () => number;

  constructor({ now = Date.now }: ConfirmationsOptions = {}) {
    this.#now = now;
  }

  /**
   * Returns the refusal with a new token. Only `owner` can use the token, for the same parameters.
   */
  request(operation: Operation, params: Params, owner: string): ProtocolError {
    this.#forget();
    const token = `conf_${randomBytes(24).toString('base64url')}`;
    const { level, reasons } = operation.danger;
    const lifetime = level === 'forbidden' ? SHORT_LIFETIME_MS : LIFETIME_MS;
    const expiresAt = this.#now() + lifetime;
    const paramsHash = hashOf(params);
    this.#issued.set(token, {
      operation: operation.name,
      paramsHash,
      owner,
      expiresAt,
      used: false,
    });
    const confirmation_message = messageFor(operation, params);
    return new ProtocolError(
      'CONFIRMATION_REQUIRED',
      `${confirmation_message} If so, send the same call again with '_confirmation' in params.`,
      {
        operation: operation.name,
        danger_level: level,
        reasons,
        confirmation_message,
        confirmation_token: token,
        expires_at: new Date(expiresAt).toISOString(),
      },
    );
  }

  /** Consumes a token before the operation runs. Throws if the token is not valid for this call. */
  redeem(token: unknown, operation: Operation, params: Params, owner: string): void {
    const issued = typeof token === 'string' ? this.#issued.get(token) : undefined;
    const advice = 'Call again without it to get a new one.';
    if (!issued) throw new ProtocolError('TOKEN_INVALID', `The token is unknown. ${advice}`);
    if (issued.used) {
      throw new ProtocolError('TOKEN_ALREADY_USED', `The token was already used. ${advice}`);
    }
    if (issued.expiresAt <= this.#now()) {
      throw new ProtocolError('TOKEN_EXPIRED', `The token has expired. ${advice}`);
    }
    const isSame = issued.operation === operation.name && issued.paramsHash === hashOf(params);
    if (!isSame || issued.owner !== owner) {
      const message = `The token was given for another call. ${advice}`;
      throw new ProtocolError('TOKEN_SCOPE_MISMATCH', message, { operation: operation.name });
    }
    issued.used = true;
  }

  /** Expired tokens are kept for a while, to distinguish a late token from a wrong one. */
  #forget(): void {
    const now = this.#now();
    for (const [token, { expiresAt }] of this.#issued) {
      if (expiresAt + LIFETIME_MS > now && this.#issued.size < MAX_TOKENS) return;
      this.#issued.delete(token);
    }
  }
}

/** Does not depend on the order of parameters. */
function hashOf(params: Params): string {
  return fingerprint(Object.fromEntries(params), 64);
}

function messageFor({ name, danger, params: declared }: Operation, params: Params): string {
  const template = danger.confirmationMessage ?? `Really run '${name}', which is ${danger.level}?`;
  return template.replace(/\{([^{}]*)\}/g, (whole, key: string) => {
    const value = params.get(key);
    if (value === undefined) return whole;
    return declared.get(key)?.sensitive ? '…' : String(value).slice(0, 200);
  });
}
