import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { writeSecret } from '../host/secret-file.ts';
import { secretNames } from './secret-names.ts';

/** Keys and passwords that people are given: printable, without what would end a quote. */
const writable = /^[\x21-\x26\x28-\x5b\x5d-\x7e]{1,4096}$/;

/**
 * The name of a secret that this site uses.
 * @throws LandfallError USAGE for any other
 */
export function knownSecret(site: Site, name: string | undefined): string {
  const names = secretNames(site).map((secret) => secret.name);
  if (name !== undefined && names.includes(name)) return name;
  throw new LandfallError('USAGE', `this site has no secret named ${JSON.stringify(name ?? '')}`, {
    hint: `It has ${names.join(', ')}. The key of a provider is there once the site names the provider.`,
  });
}

/**
 * Keeps a secret that its owner gives, in place of the one that was there.
 * @throws LandfallError USAGE for a value that no part could read; it is not repeated
 */
export async function setSecret(host: Host, name: string, value: string): Promise<void> {
  if (!writable.test(value)) {
    throw new LandfallError('USAGE', `the value for ${name} cannot be kept`, {
      hint: 'It takes 1 to 4096 printable characters, without spaces, single quotes and backslashes.',
    });
  }
  await writeSecret(host, name, value);
}
