import { LandfallError } from '#contract/errors.ts';
import { emailAddress } from '#contract/site/email.ts';
import { urlOf } from '#contract/site/endpoints.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { addAccount } from '../../server/chats/change-accounts.ts';
import { readSecret } from '../../server/host/secret-file.ts';
import type { Facts } from '../../server/load-facts.ts';
import { storedReport } from '../../stages/report/stored-report.ts';
import { withAccounts } from './locked-accounts.ts';
import { expectScreen, newPassword } from './password.ts';

export interface NewUserOptions {
  readonly role: 'user' | 'admin';
  readonly name?: string;
  readonly ask?: boolean;
}

const say = (en: string, zh: string) => inLanguage({ en, zh });

/**
 * Adds an account to the chat UI, and prints what its user needs. A generated password is shown once, and not stored.
 * @throws LandfallError USAGE, STATE_INVALID, STACK_UNHEALTHY, HTTP_STATUS, ALREADY_RUNNING
 */
export async function addUser(
  facts: Facts,
  email: string,
  { role, ask = false, ...options }: NewUserOptions,
): Promise<void> {
  const { host, site } = facts;
  if (!emailAddress.safeParse(email).success) {
    throw new LandfallError('USAGE', `${plainLine(email, 100)} is not an email address`, {
      hint: {
        en: 'Use an address such as anna@example.com. No mail is sent to it.',
        zh: '使用类似 anna@example.com 的邮箱。不会向它发送邮件。',
      },
    });
  }
  if (!ask) expectScreen();
  const name = plainLine(options.name ?? email.replace(/@.*$/, ''), 40);
  const password = await newPassword(ask);
  const secret = (await readSecret(host, 'WEBUI_SECRET_KEY')) ?? '';
  const base = `http://127.0.0.1:${site.ports.ui}`;
  await withAccounts(facts, (accounts) =>
    addAccount({ base, secret, accounts, account: { email, name, role }, password }),
  );
  const url = urlOf(site, 'ui', (await storedReport.read(host))?.addresses.public ?? undefined);
  console.log(
    formatTable([
      ...(url === undefined ? [] : [[say('Chat UI', '聊天界面'), `${url}/`]]),
      [say('Chat UI, email', '聊天界面，邮箱'), email],
      ...(ask ? [] : [[say('Chat UI, password', '聊天界面，密码'), password]]),
    ]),
  );
  if (!ask) console.log(say('It is not shown again.', '密码不会再次显示。'));
}
