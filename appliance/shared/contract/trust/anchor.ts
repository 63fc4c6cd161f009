import { z } from 'zod';
import { parseJson } from '#contract/text/json.ts';
import { versionSchema } from '../bundle/version.ts';
import { LandfallError } from '../errors.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import { publicKey, type TrustedKeys } from './keys.ts';

const trustAnchorSchema = z
  .strictObject({
    schema: z.literal(1),
    release: z.array(publicKey).min(1).max(8),
    recovery: publicKey.nullable(),
    /** Revoked keys. A release cannot make them trusted again. */
    revoked: z.array(publicKey).max(64),
    /** Minimum version: older releases are rejected, even for a rollback by the administrator. */
    floor: versionSchema.nullable(),
    /** The highest channel serial so far. Older channels are rejected. */
    channelSerial: z.int().min(0),
    /** Number of the last applied rotation; 0: the keys of the user-data. */
    trust: z.int().min(0).max(1_000_000),
  })
  .refine(({ release, recovery, revoked }) => {
    const all = [...release, ...(recovery ? [recovery] : []), ...revoked];
    return new Set(all).size === all.length;
  }, 'must not list a key twice');

/** `/etc/landfall/trust.json`: the trusted keys of a server. */
export type TrustAnchor = z.infer<typeof trustAnchorSchema>;

/** Returns the initial anchor of a server with the keys of its user-data. */
export function firstAnchor({ release, recovery }: TrustedKeys): TrustAnchor {
  return {
    schema: 1,
    release: release.map(({ spki }) => spki),
    recovery: recovery?.spki ?? null,
    revoked: [],
    floor: null,
    channelSerial: 0,
    trust: 0,
  };
}

/** Encodes trust.json. */
export function encodeAnchor(anchor: TrustAnchor): string {
  return decodeUtf8(encodeCanonicalJson(anchor));
}

/**
 * Parses trust.json.
 * @throws LandfallError STATE_INVALID with the problems found
 */
export function decodeAnchor(text: string): TrustAnchor {
  const parsed = trustAnchorSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LandfallError('STATE_INVALID', 'trust.json is not a valid trust anchor', {
    hint: 'Restore the file from a backup, or set the server up again from user-data.',
    problems: schemaProblems(parsed.error.issues),
  });
}
