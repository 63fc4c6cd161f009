import { LandfallError } from '#contract/errors.ts';
import { alertSecrets } from '#contract/site/alerts/secret-names.ts';
import { backupSecrets } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
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
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: `this site has no secret named ${JSON.stringify(name ?? '')}`,
      zh: `这个站点没有名为 ${JSON.stringify(name ?? '')} 的机密`,
    }),
    {
      hint: {
        en: `Use one of ${names.join(', ')}; to set another provider key, add the provider to the site first.`,
        zh: `可用：${names.join('、')}；要设置其他模型服务商的密钥，请先把它加入站点。`,
      },
    },
  );
}

/**
 * Stores a secret that the administrator sets and replaces the previous value.
 * @throws LandfallError USAGE for an invalid value, which the error does not contain
 */
export async function setSecret(host: Host, name: string, value: string): Promise<void> {
  if (!writable.test(value)) {
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: `the value for ${name} is invalid`, zh: `${name} 的值无效` }),
      {
        hint: {
          en: 'Use 1 to 4096 printable characters without spaces, single quotes and backslashes.',
          zh: '使用 1 到 4096 个可见字符，不能有空格、单引号和反斜杠。',
        },
      },
    );
  }
  await writeSecret(host, name, value);
}
