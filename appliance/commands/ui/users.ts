import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Account } from '../../server/chats/accounts.ts';
import type { Facts } from '../../server/load-facts.ts';
import { withAccounts } from './locked-accounts.ts';

/** Prints the accounts of the chat UI, oldest first. @throws LandfallError STATE_INVALID, ALREADY_RUNNING */
export async function showUsers(facts: Facts, json = false): Promise<void> {
  const accounts = await withAccounts(facts, (all) => all);
  console.log(json ? JSON.stringify(accounts.map(asJson), null, 2) : describeUsers(accounts));
}

function asJson({ email, name, role, lastActive }: Account): object {
  const time = activeTime(lastActive);
  return { email, name, role, last_active: time?.toISOString() ?? null };
}

/** Formats one account per line. Names come from users, so control characters are removed. */
export function describeUsers(accounts: readonly Account[]): string {
  if (accounts.length === 0) {
    return inLanguage({ en: 'The chat UI has no accounts.', zh: '聊天界面没有账户。' });
  }
  const heads = inLanguage({
    en: 'EMAIL|NAME|ROLE|LAST ACTIVITY',
    zh: '邮箱|姓名|角色|最近活动',
  });
  return formatTable([
    heads.split('|'),
    ...accounts.map(({ email, name, role, lastActive }) => {
      const time = activeTime(lastActive);
      return [plainLine(email), plainLine(name, 40), roleText(role), time ? formatTime(time) : '-'];
    }),
  ]);
}

/** Returns a role for people. */
function roleText(role: string): string {
  switch (role) {
    case 'admin':
      return inLanguage({ en: 'administrator', zh: '管理员' });
    case 'user':
      return inLanguage({ en: 'user', zh: '用户' });
    case 'pending':
      return inLanguage({ en: 'waits for approval', zh: '等待批准' });
    default:
      return plainLine(role, 20);
  }
}

/** @param seconds since 1970 @returns undefined for an unknown or impossible time */
function activeTime(seconds: number | null): Date | undefined {
  const time = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
