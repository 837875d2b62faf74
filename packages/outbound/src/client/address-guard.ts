/**
 * Keeps requests out of private networks. A name is resolved once, every address of the name is checked, and the
 * connection goes to those addresses only.
 */

import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { addressProblem, type PrivateAddresses } from '../address/address-rules.js';

/** Which addresses may be called. */
export interface AddressGuard {
  /**
   * Whether private addresses may be called. Link-local and cloud metadata addresses are always
   * refused.
   */
  readonly privateAddresses?: PrivateAddresses;
  /** Origins that are called without checking their addresses, such as `http://localhost:8080`. */
  readonly trustedOrigins?: readonly string[];
  /** Resolves names. Default: the system's resolver. */
  readonly lookup?: Lookup;
}

/** Finds all addresses of a name. */
export type Lookup = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The request was not sent, for this reason. */
export class AddressRefused extends Error {
  /** Where the request would have gone. Missing outside of a request. */
  url?: URL;

  constructor(reason: string) {
    super(`Not called: ${reason}.`);
    this.name = 'AddressRefused';
  }
}

/** Checks a literal address here, since it is never resolved. `URL` has normalised its spelling. */
export function checkUrl(url: URL, { privateAddresses = 'refused' }: AddressGuard): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(`${url.protocol} is not HTTP`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefused('the address contains a password');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const problem = isIP(host) === 0 ? undefined : addressProblem(host, privateAddresses);
  if (problem !== undefined) throw new AddressRefused(problem);
}

/** Why an address that the operator wrote may not be called. Those of a private network may. */
export function literalProblem(address: string): string | undefined {
  return addressProblem(address, 'allowed');
}

/** Why an address may not be called, or that its name cannot be resolved. `undefined`: it may. */
export async function urlProblem(url: URL, guard: AddressGuard): Promise<Error | undefined> {
  try {
    checkUrl(url, guard);
  } catch (error) {
    return error as Error;
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return undefined;
  return new Promise((resolve) => {
    checkedLookup(guard)(host, { all: true }, (error) => resolve(error ?? undefined));
  });
}

const resolveAll: Lookup = (hostname, callback) =>
  systemLookup(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []));

/**
 * Resolves and checks in one step, so the socket connects to the very addresses that were checked.
 * A second lookup could give others (DNS rebinding).
 */
export function checkedLookup({
  lookup = resolveAll,
  privateAddresses = 'refused',
}: AddressGuard): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error) return callback(error, '');
      const problem = addresses
        .map(({ address }) => addressProblem(address, privateAddresses))
        .find((each) => each !== undefined);
      const [first] = addresses;
      if (problem !== undefined || !first) {
        const reason = problem === undefined ? 'it has no address' : problem;
        return callback(new AddressRefused(`${hostname}: ${reason}`), '');
      }
      if (options.all) return callback(null, [...addresses]);
      callback(null, first.address, first.family);
    });
  };
}
