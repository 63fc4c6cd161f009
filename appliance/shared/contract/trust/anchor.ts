import { z } from 'zod';
import { versionSchema } from '../bundle/version.ts';
import { LandfallError } from '../errors.ts';
import { decodeUtf8 } from '../text/bytes.ts';
import { encodeCanonicalJson, parseJson, schemaProblems } from '../text/json.ts';
import { isPublicKey, type TrustedKeys } from './keys.ts';

/** The schema of a public key in JSON: SubjectPublicKeyInfo, DER, base64, the body of a PEM file. */
export const publicKey = z
  .string()
  .max(256)
  .refine(isPublicKey, 'must be a P-256 public key in base64');

const keySet = {
  release: z.array(publicKey).min(1).max(8),
  recovery: publicKey.nullable(),
  /** Revoked keys. A release cannot make them trusted again. */
  revoked: z.array(publicKey).max(64),
  /** Minimum version: older releases are rejected, even for a rollback by the administrator. */
  floor: versionSchema.nullable(),
};

/** Returns whether every key has exactly one role. */
function namesKeysOnce({ release, recovery, revoked }: z.infer<z.ZodObject<typeof keySet>>) {
  const all = [...release, ...(recovery ? [recovery] : []), ...revoked];
  return new Set(all).size === all.length;
}

const twice = 'must not list a key twice';

const trustAnchorSchema = z
  .strictObject({
    schema: z.literal(1),
    ...keySet,
    /** The highest channel serial so far. Older channels are rejected. */
    channelSerial: z.int().min(0),
    /** Number of the last applied rotation; 0: the keys of the user-data. */
    trust: z.int().min(0).max(1_000_000),
  })
  .refine(namesKeysOnce, twice);

/** `/etc/landfall/trust.json`: the trusted keys of a server. */
export type TrustAnchor = z.infer<typeof trustAnchorSchema>;

export const rotationSchema = z
  .strictObject({
    type: z.literal('landfall-trust'),
    schema: z.literal(1),
    product: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
    trust: z.int().min(1).max(1_000_000),
    created: z.iso.datetime({ precision: 0 }),
    ...keySet,
  })
  .refine(namesKeysOnce, twice);

/** `trust/<n>.json`, published next to the releases: the trusted keys after rotation n. */
export type TrustRotation = z.infer<typeof rotationSchema>;

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
