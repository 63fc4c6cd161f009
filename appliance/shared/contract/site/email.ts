import { z } from 'zod';

const localPart = '(?!.*\\.\\.)[A-Za-z0-9_](?:[A-Za-z0-9_.+-]{0,62}[A-Za-z0-9_+-])?';
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const topLabel = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])';

/**
 * An e-mail address that is safe for all programs of a server: lego as an argument, sh and
 * Compose in quotes. Stricter than RFC 5321: no quotes, and no leading dash, which looks like an
 * option.
 */
export const emailAddress = z
  .string()
  .max(254)
  .regex(
    new RegExp(`^${localPart}@(?:${label}\\.)+${topLabel}$`),
    'must be an e-mail address of letters, digits and . _ + -, such as me@example.com',
  );

/**
 * Returns the email address with which the administrator signs in to the chat UI. Open WebUI accepts
 * no other login name, and `localhost` as the only domain without a dot.
 */
export function signInEmail({ admin }: { readonly admin: Administrator }): string {
  return admin.email ?? `${admin.user}@localhost`;
}

interface Administrator {
  readonly user: string;
  readonly email?: string | undefined;
}
