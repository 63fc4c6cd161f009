import { fromBase64, toHex } from '../text/bytes.ts';
import { readDer } from './der.ts';

const tags = { boolean: 0x01, octetString: 0x04, objectId: 0x06, sequence: 0x30, extensions: 0xa3 };

/** The object identifier of basicConstraints, as hex digits of its DER content. */
const basicConstraints = '551d13';

/**
 * Returns whether a PEM text is an X.509 certificate of a certificate authority: it has the extension
 * basicConstraints with CA:TRUE (RFC 5280, section 4.2.1.9). The signature is not verified.
 */
export function isAuthorityCertificate(pem: string): boolean {
  const bytes = fromBase64(pem.replace(/-----[A-Z ]+-----|\n/g, ''));
  const [certificate, ...others] = (bytes && readDer(bytes)) ?? [];
  if (others.length > 0) return false;
  const [toBeSigned] = childrenOf(certificate);
  const extensions = childrenOf(toBeSigned).find(({ tag }) => tag === tags.extensions);
  const [list] = (extensions && readDer(extensions.content)) ?? [];
  return childrenOf(list).some(isAuthority);
}

type DerValue = NonNullable<ReturnType<typeof readDer>>[number];

/** Returns whether an extension is basicConstraints with CA:TRUE. */
function isAuthority(extension: DerValue): boolean {
  const [id, ...rest] = childrenOf(extension);
  if (id?.tag !== tags.objectId || toHex(id.content) !== basicConstraints) return false;
  const value = rest.at(-1);
  if (value?.tag !== tags.octetString) return false;
  const [constraints] = readDer(value.content) ?? [];
  const [authority] = childrenOf(constraints);
  return authority?.tag === tags.boolean && toHex(authority.content) === 'ff';
}

/** Returns the values of a sequence; empty for another value. */
function childrenOf(value: DerValue | undefined): DerValue[] {
  return value?.tag === tags.sequence ? (readDer(value.content) ?? []) : [];
}
