/** The payload that LobeChat's page sends with every request. */
interface LobeVisitor {
  /** One of the codes in `ACCESS_CODE`. */
  readonly accessCode: string;
}

/** The header of the payload. */
export const lobeAuthHeader = 'x-lobe-chat-auth';

/** A public constant of LobeChat (1.143.3, const/auth.ts). Not a secret. */
const key = Buffer.from('LobeHub · LobeHub');

/** Returns the value of the header: JSON, combined with the key by XOR, in Base64. */
export function lobeAuth(visitor: LobeVisitor): string {
  const bytes = Buffer.from(JSON.stringify(visitor));
  const combined = bytes.map((byte, index) => byte ^ (key[index % key.length] ?? 0));
  return Buffer.from(combined).toString('base64');
}
