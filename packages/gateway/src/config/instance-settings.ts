/** The key `callsign.instances`: how the instances of one gateway reach each other. */

import { isIPv6 } from 'node:net';

import { type SettingOf, text } from '@callsign/config';
import * as z from 'zod';

const HOST_PROBLEM = 'must be a host name or an IP address, without a scheme and a port';

/** A host as it is written in the file. With variables it is checked when they are replaced. */
function host(description: string, example: string): z.ZodString {
  return text(description, example).refine((written) => written.includes('${') || isHost(written), {
    error: HOST_PROBLEM,
  });
}

/** Why a text cannot be used as a host; `undefined` if it can. */
export function hostProblem(written: string): string | undefined {
  return isHost(written) ? undefined : HOST_PROBLEM;
}

/** IPv6 addresses have colons. Others would be read as a port. */
function isHost(written: string): boolean {
  return (
    isIPv6(written) || (/^[^\s:/?#@[\]\\]+$/.test(written) && URL.canParse(`https://${written}:1`))
  );
}

export const INSTANCES = z.lazy(() =>
  z
    .strictObject({
      host: host('Address for other instances to connect to.', '10.0.0.5').default('127.0.0.1'),
      port: z
        .int()
        .min(0)
        .max(65_535)
        .meta({ description: 'Its port; 0 for any free one.', examples: [7401] })
        .default(0),
      advertise: z.exactOptional(
        host('Host by which other instances reach this one, if it is not "host".', 'gateway-1'),
      ),
      secrets: z
        .array(z.string().min(1, { error: 'must not be empty' }))
        .min(1, { error: 'must contain a secret' })
        .meta({
          description:
            'Secrets that all instances share, the newest first. Instances prove to each other that they know one, and seal session ids with it; the first one is used, and all are accepted.',
          examples: [['${CALLSIGN_SECRET}']],
        }),
    })
    .meta({
      description:
        'Runs many instances of this gateway behind one address. Needs "storage". Default: this is the only one.',
      examples: [{ host: '10.0.0.5', secrets: ['${CALLSIGN_SECRET}'] }],
    }),
);

export type InstanceSettings = SettingOf<typeof INSTANCES>;
