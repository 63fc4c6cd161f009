import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import type { Facts } from '../../server/load-facts.ts';
import { changeTime, type ListedSecret, secretsOf, userTitle } from './inventory.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

interface SecretState extends ListedSecret {
  /** When it was set; undefined if it is missing. */
  readonly changed: Date | undefined;
}

/** Prints which secrets of the site are set, how old they are, and who uses them. Prints no values. */
export async function showSecrets(
  { host, site }: Pick<Facts, 'host' | 'site'>,
  json = false,
): Promise<void> {
  const all = await Promise.all(
    secretsOf(site).map(async (secret) => ({
      ...secret,
      changed: await changeTime(host, secret.name),
    })),
  );
  const secrets = all.filter(({ usedBy, changed }) => usedBy.length > 0 || changed);
  console.log(json ? JSON.stringify(secrets.map(asJson), null, 2) : describeSecrets(secrets));
}

function asJson({ name, isGenerated, usedBy, changed }: SecretState): object {
  const isSet = changed !== undefined;
  const time = changed?.toISOString() ?? null;
  return { name, set: isSet, generated: isGenerated, changed: time, used_by: usedBy };
}

/** Formats one secret per line. @param now milliseconds since 1970 */
export function describeSecrets(secrets: readonly SecretState[], now = Date.now()): string {
  const heads = say('NAME|STATE|ORIGIN|AGE|USED BY', '名称|状态|来源|时长|使用者');
  return formatTable([
    heads.split('|'),
    ...secrets.map(({ name, isGenerated, changed, usedBy }) => [
      name,
      changed ? say('set', '已设置') : say('missing', '缺失'),
      isGenerated ? say('generated', '自动生成') : say('set by hand', '手动设置'),
      changed ? ageText(now - changed.getTime()) : '-',
      usedBy.map(userTitle).join(', ') || say('not in use', '未使用'),
    ]),
  ]);
}

const minuteMs = 60_000;

/** Formats an age in its largest unit. @param ms milliseconds; negative if the clock was set back */
function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / minuteMs));
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return say(days === 1 ? '1 day' : `${days} days`, `${days} 天`);
  if (hours > 0) return say(hours === 1 ? '1 hour' : `${hours} hours`, `${hours} 小时`);
  return say(minutes === 1 ? '1 minute' : `${minutes} minutes`, `${minutes} 分钟`);
}
