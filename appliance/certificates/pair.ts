import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Problem } from '#contract/errors.ts';

/** A certificate with its chain, and its key, both in PEM. */
export interface Pair {
  readonly chain: string;
  readonly key: string;
}

/** The first certificate of a chain, or nothing when the text has none. */
export function leafOf(chain: string): X509Certificate | undefined {
  try {
    return new X509Certificate(chain);
  } catch {
    return undefined;
  }
}

/**
 * Why a pair cannot serve some names: every reason at once, nothing when it can.
 * @param names host names and addresses
 */
export function judgePair({ chain, key }: Pair, names: readonly string[], now: Date): Problem[] {
  const leaf = leafOf(chain);
  if (!leaf) {
    return [
      {
        message: 'the chain is not a certificate in PEM',
        hint: 'It begins with -----BEGIN CERTIFICATE-----, the certificate of the names first.',
      },
    ];
  }
  const problems: Problem[] = names
    .filter((name) => !covers(leaf, name))
    .map((name) => ({
      message: `the certificate is not for ${name}`,
      hint: `It is for ${leaf.subjectAltName ?? 'no name at all'}: take one that names ${name} too.`,
    }));
  if (now < leaf.validFromDate) {
    problems.push({
      message: `the certificate is valid from ${leaf.validFromDate.toISOString()} on`,
    });
  }
  if (now > leaf.validToDate) {
    problems.push({ message: `the certificate ended on ${leaf.validToDate.toISOString()}` });
  }
  if (!fits(leaf, key)) {
    problems.push({
      message: 'the key does not belong to the certificate',
      hint: 'Take the private key, in PEM and without a passphrase, that this certificate was requested with.',
    });
  }
  return problems;
}

function covers(leaf: X509Certificate, name: string): boolean {
  return (
    (isIP(name) ? leaf.checkIP(name) : leaf.checkHost(name, { subject: 'never' })) !== undefined
  );
}

function fits(leaf: X509Certificate, key: string): boolean {
  try {
    return leaf.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
