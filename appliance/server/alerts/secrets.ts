import { LandfallError } from '#contract/errors.ts';
import { alertSecrets } from '#contract/site/alerts/secret-names.ts';
import type { AlertTarget } from '#contract/site/alerts/targets.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../host/host.ts';
import { readSecret } from '../host/secret-file.ts';
import type { TargetSecrets } from './requests.ts';

/** Returns the name of the first required secret that is not set. */
export async function missingSecret(host: Host, target: AlertTarget): Promise<string | undefined> {
  for (const { name, required } of alertSecrets(target)) {
    if (required && (await readSecret(host, name)) === undefined) return name;
  }
  return undefined;
}

/**
 * Returns the secrets of a target.
 * @throws LandfallError ALERT_FAILED if a required one is not set
 */
export async function targetSecrets(host: Host, target: AlertTarget): Promise<TargetSecrets> {
  const missing = await missingSecret(host, target);
  if (missing !== undefined) {
    throw new LandfallError(
      'ALERT_FAILED',
      inLanguage({ en: `the secret ${missing} is not set`, zh: `机密 ${missing} 没有设置` }),
      {
        hint: {
          en: `Run: sudo landfall secret set ${missing}`,
          zh: `运行：sudo landfall secret set ${missing}`,
        },
        retriable: false,
      },
    );
  }
  const values: Record<string, string> = {};
  for (const { name, part } of alertSecrets(target)) {
    const value = await readSecret(host, name);
    if (value !== undefined) values[part] = value;
  }
  return values;
}
