import { LandfallError } from '#contract/errors.ts';
import { signInEmail } from '#contract/site/email.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import type { Account } from '../../server/chats/accounts.ts';
import { setPassword } from '../../server/chats/change-accounts.ts';
import { makeSecret, readSecret, writeSecret } from '../../server/host/secret-file.ts';
import type { Context } from '../../server/stage/stage.ts';
import { writeUiSecrets } from '../../stages/stack/write-stack.ts';
import { askFor } from '../ask-yes.ts';
import { readHidden } from '../read-hidden.ts';
import { withAccounts } from './locked-accounts.ts';

export interface PasswordOptions {
  readonly ask?: boolean;
  readonly yes?: boolean;
}

const say = (en: string, zh: string) => inLanguage({ en, zh });

/**
 * Sets a new password for an account of the chat UI, after a question, and prints it once if it was generated.
 * A generated password of the account in `landfall credentials` replaces the stored one. One that was typed is
 * not stored: the administrator may use it elsewhere.
 * @param email default: the oldest administrator
 * @throws LandfallError USAGE, STATE_INVALID, STACK_UNHEALTHY, HTTP_STATUS, ALREADY_RUNNING
 */
export async function changePassword(
  context: Context,
  email: string | undefined,
  { ask = false, yes = false }: PasswordOptions,
): Promise<void> {
  const { host, site } = context;
  if (!ask) expectScreen();
  const chosen = await withAccounts(context, (accounts) => choose(accounts, email));
  if (!yes && !(await askFor('y', question(chosen), '--yes'))) {
    console.log(say('Nothing was changed.', '未做任何更改。'));
    return;
  }
  const password = await newPassword(ask);
  const isStored = !ask && chosen.email === signInEmail(site);
  await withAccounts(context, async (accounts) => {
    // Read again: a session is valid until the account changes.
    const account = choose(accounts, chosen.email);
    const secret = (await readSecret(host, 'WEBUI_SECRET_KEY')) ?? '';
    const base = `http://127.0.0.1:${site.ports.ui}`;
    await setPassword({ base, secret, accounts, account, password });
    // Printed first: a full disk must not hide the password that is in effect.
    console.log(resultText(chosen, ask ? undefined : password));
    if (!isStored) return;
    await writeSecret(host, 'WEBUI_ADMIN_PASSWORD', password);
    await writeUiSecrets(context);
  });
  for (const note of notesFor(chosen, isStored, signInEmail(site))) console.log(note);
}

/** @throws LandfallError USAGE if a generated password would go to a file or a pipe */
export function expectScreen(): void {
  if (process.stdout.isTTY) return;
  throw new LandfallError('USAGE', 'standard output is not a terminal', {
    hint: {
      en: 'Run it on a terminal, which shows the new password, or with --ask.',
      zh: '在终端中运行，它会显示新密码；或加上 --ask。',
    },
  });
}

/** Returns a password that is typed, or a generated one. @throws LandfallError USAGE */
export async function newPassword(ask: boolean): Promise<string> {
  return ask ? await readTwice() : makePassword();
}

function choose(accounts: readonly Account[], email: string | undefined): Account {
  const found =
    email === undefined
      ? accounts.find(({ role }) => role === 'admin')
      : accounts.find((account) => account.email.toLowerCase() === email.toLowerCase());
  if (found) return found;
  const what =
    email === undefined
      ? { en: 'administrator', zh: '管理员' }
      : { en: `account ${JSON.stringify(email)}`, zh: `账户 ${JSON.stringify(email)}` };
  throw new LandfallError(
    'USAGE',
    inLanguage({ en: `the chat UI has no ${what.en}`, zh: `聊天界面没有${what.zh}` }),
    {
      hint: {
        en: 'Run `sudo landfall ui users` for the list of accounts.',
        zh: '运行 `sudo landfall ui users` 查看账户列表。',
      },
    },
  );
}

function question({ email, name }: Account): string {
  const who = `${plainLine(email)} (${plainLine(name, 40)})`;
  return say(
    `Set a new password for ${who}? It ends all sessions of the account. [y/N] `,
    `为 ${who} 设置新密码？该账户的所有会话都会结束。[y/N] `,
  );
}

/** On a pipe there is one value. */
async function readTwice(): Promise<string> {
  const first = await readHidden(say('New password (hidden): ', '新密码（不显示）：'));
  if (!process.stdin.isTTY) return first;
  const second = await readHidden(say('The same again (hidden): ', '再次输入（不显示）：'));
  if (first === second) return first;
  throw new LandfallError(
    'USAGE',
    inLanguage({ en: 'the two passwords differ', zh: '两次输入的密码不同' }),
    {
      hint: {
        en: 'Nothing was changed. Run the command again.',
        zh: '没有更改任何内容。请再运行一次。',
      },
    },
  );
}

/** Without look-alike characters. */
const group = { length: 6, alphabet: 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789' };

/**
 * Generates a password that the rules of the chat UI accept: upper and lower case letters, a digit, and a
 * character that is none of these. 24 of 57 letters: 139 bits.
 */
export function makePassword(): string {
  for (;;) {
    const made = Array.from({ length: 4 }, () => makeSecret(group)).join('-');
    if (/[a-z]/.test(made) && /[A-Z]/.test(made) && /\d/.test(made)) return made;
  }
}

function resultText({ email }: Account, password: string | undefined): string {
  if (password === undefined) {
    return say(`${plainLine(email)} has a new password.`, `${plainLine(email)} 的密码已更新。`);
  }
  return formatTable([
    [say('Chat UI, email', '聊天界面，邮箱'), plainLine(email)],
    [say('Chat UI, password', '聊天界面，密码'), password],
  ]);
}

function notesFor({ email, role }: Account, isStored: boolean, shownEmail: string): string[] {
  const pending = say(
    'The account cannot be used until an administrator approves it in the chat UI.',
    '管理员在聊天界面批准之前，该账户无法使用。',
  );
  const shown = say(
    'To see it again: sudo landfall credentials',
    '再次查看：sudo landfall credentials',
  );
  const outdated = say(
    '`landfall credentials` still shows the earlier password: a password that you typed is not stored.',
    '`landfall credentials` 仍显示之前的密码：您输入的密码不会保存。',
  );
  const once = say('It is not shown again.', '密码不会再次显示。');
  const note = isStored ? shown : email === shownEmail ? outdated : once;
  return [...(role === 'pending' ? [pending] : []), note];
}
