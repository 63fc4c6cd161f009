import { stat } from 'node:fs/promises';
import { componentOf } from '#contract/component-names.ts';
import { secretsFolder } from '#contract/server-paths.ts';
import { alertSecrets } from '#contract/site/alerts/secret-names.ts';
import { backupSecrets } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { isMissing } from '#files/open-regular.ts';
import type { Host } from '../../server/host/host.ts';
import { readSecret } from '../../server/host/secret-file.ts';
import { socksPassword } from '../../stages/route/public.ts';
import { secretNames } from '../../stages/secrets/secret-names.ts';
import { readersOf } from '../../stages/secrets/secret-readers.ts';
import { consolePasswordName } from '../../stages/users/console-password.ts';

/** A secret of this server, without its value. */
export interface ListedSecret {
  readonly name: string;
  /** Whether the server generates it. Otherwise the administrator sets it. */
  readonly isGenerated: boolean;
  /** Components that read it, or other users of it; empty if the site does not use it. */
  readonly usedBy: readonly string[];
}

/** Returns the secrets that a site uses, or may use. */
export function secretsOf(site: Site): ListedSecret[] {
  const stack = secretNames(site).map(({ name, generate }) => ({
    name,
    isGenerated: generate !== undefined,
    usedBy: name === socksPassword.name ? ['socks'] : readersOf(site, name),
  }));
  const alerts = site.alerts
    .flatMap(alertSecrets)
    .map(({ name }) => ({ name, isGenerated: false, usedBy: ['alerts'] }));
  const backups = backupSecrets(site).map((name) => ({
    name,
    isGenerated: false,
    usedBy: ['backup'],
  }));
  return [
    { name: consolePasswordName, isGenerated: true, usedBy: ['console'] },
    ...stack,
    ...alerts,
    ...backups,
  ];
}

/** Returns when the file of a secret last changed; undefined for a missing or empty one. */
export async function changeTime(host: Host, name: string): Promise<Date | undefined> {
  if ((await readSecret(host, name)) === undefined) return undefined;
  try {
    return (await stat(host.path(secretsFolder, name))).mtime;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the name of a user of secrets, for people. */
export function userTitle(user: string): string {
  switch (user) {
    case 'console':
      return inLanguage({ en: 'console of the server', zh: '服务器控制台' });
    case 'socks':
      return inLanguage({ en: 'SOCKS5 server', zh: 'SOCKS5 服务器' });
    case 'alerts':
      return inLanguage({ en: 'alerts', zh: '告警' });
    case 'backup':
      return inLanguage({ en: 'backups', zh: '备份' });
    case 'relay':
      return inLanguage({ en: 'the relay', zh: '中继' });
    default:
      return componentOf(user as Parameters<typeof componentOf>[0]).product;
  }
}
