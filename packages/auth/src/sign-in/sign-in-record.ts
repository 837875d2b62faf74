/** A stored sign-in: the tokens, and the data for renewing or revoking them. */

import { hash } from 'node:crypto';

import * as z from 'zod';

/** A remote server of the configuration. */
export interface RemoteEntry {
  readonly key: string;
  readonly url: string;
}

/** Contains secrets: it must not reach logs, errors or records. */
export interface SignInRecord {
  readonly server: string;
  /** Tokens are sent only to this address, even if the configuration changes later. */
  readonly url: string;
  readonly authorizationServer: string;
  /** The metadata of the authorization server. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly client: { readonly client_id: string; readonly client_secret?: string | undefined };
  /** The audience of the tokens: the server's own identifier. */
  readonly resource?: string | undefined;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
  readonly issuedAt: number;
  /** Milliseconds since 1970. Missing if the authorization server does not say. */
  readonly expiresAt?: number | undefined;
}

export const SIGN_IN: z.ZodType<SignInRecord> = z.lazy(() =>
  z.object({
    server: z.string(),
    url: z.string(),
    authorizationServer: z.string(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    client: z.looseObject({ client_id: z.string(), client_secret: z.string().optional() }),
    resource: z.string().optional(),
    accessToken: z.string(),
    refreshToken: z.string().optional(),
    scope: z.string().optional(),
    issuedAt: z.number(),
    expiresAt: z.number().optional(),
  }),
);

/** Reads one record. Throws if the text is not one; the error does not contain the text. */
export function parseSignIn(text: string): SignInRecord {
  try {
    return SIGN_IN.parse(JSON.parse(text));
  } catch {
    throw new Error('a sign-in cannot be read');
  }
}

/** Names a server in a store without its address, which may hold a secret. */
export function signInId({ key, url }: RemoteEntry): string {
  return hash('sha256', `${key}\0${url}`, 'hex');
}

/** Distinguishes sign-ins without their tokens. */
export function holderOf({ authorizationServer, client }: SignInRecord): string {
  return hash('sha256', `${authorizationServer}\0${client.client_id}`, 'hex');
}

/** The format of the file. */
export const SIGN_INS: z.ZodType<{
  readonly version: 1;
  readonly signIns: readonly SignInRecord[];
}> = z.lazy(() => z.object({ version: z.literal(1), signIns: z.array(SIGN_IN) }));

/** The tokens of an answer in our form. If there is no new refresh token, the old one stays. */
export function tokensIn(
  answer: {
    readonly access_token: string;
    readonly refresh_token?: string | undefined;
    readonly expires_in?: number | undefined;
    readonly scope?: string | undefined;
  },
  before?: SignInRecord,
): Pick<SignInRecord, 'accessToken' | 'refreshToken' | 'scope' | 'issuedAt' | 'expiresAt'> {
  const issuedAt = Date.now();
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? before?.refreshToken,
    scope: answer.scope ?? before?.scope,
    issuedAt,
    expiresAt: answer.expires_in === undefined ? undefined : issuedAt + answer.expires_in * 1000,
  };
}
