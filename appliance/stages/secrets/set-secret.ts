import { LandfallError } from '#contract/errors.ts';
import { alertSecrets } from '#contract/site/alerts/secret-names.ts';
import { backupSecrets } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../../server/host/host.ts';
import { writeSecret } from '../../server/host/secret-file.ts';
import { secretNames } from './secret-names.ts';

/** Printable characters except single quote and backslash, which would need escaping. */
const writable = /^[\x21-\x26\x28-\x5b\x5d-\x7e]{1,4096}$/;

/**
 * Returns the name if the site uses a secret of this name.
 * @throws LandfallError USAGE for any other name
 */
export function knownSecret(site: Site, name: string | undefined): string {
  const names = [
    ...[...secretNames(site), ...site.alerts.flatMap(alertSecrets)].map((secret) => secret.name),
    ...backupSecrets(site),
  ];
  if (name !== undefined && names.includes(name)) return name;
  throw new LandfallError('USAGE', `this site has no secret named ${JSON.stringify(name ?? '')}`, {
    hint: `Use one of ${names.join(', ')}; to set another provider key, add the provider to the site first.`,
  });
}

/**
 * Stores a secret that the administrator sets and replaces the previous value.
 * @throws LandfallError USAGE for an invalid value, which the error does not contain
 */
export async function setSecret(host: Host, name: string, value: string): Promise<void> {
  if (!writable.test(value)) {
    throw new LandfallError('USAGE', `the value for ${name} is invalid`, {
      hint: 'Use 1 to 4096 printable characters without spaces, single quotes and backslashes.',
    });
  }
  await writeSecret(host, name, value);
}
