import { Agent } from 'undici';
import { z } from 'zod';
import { logCommand } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { readJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Account } from './accounts.ts';
import { signSession } from './session.ts';

/** Milliseconds. The chat UI hashes the password, which takes a second on a slow CPU. */
const timeout = 30_000;
/** Maximum size of an answer in bytes. */
const maxAnswer = 1 << 20;

interface AccountChange {
  /** Origin of the chat UI. */
  readonly base: string;
  /** WEBUI_SECRET_KEY, with which sessions are made. */
  readonly secret: string;
  /** All accounts, the oldest first. */
  readonly accounts: readonly Account[];
  readonly password: string;
}

interface PasswordChange extends AccountChange {
  readonly account: Account;
}

interface Addition extends AccountChange {
  readonly account: Pick<Account, 'email' | 'name'> & { readonly role: 'user' | 'admin' };
}

/**
 * Sets the password of an account through the API of the chat UI, which ends all sessions of the account.
 * No previous password is needed (Open WebUI 0.12.4, routers/users.py, update_user_by_id).
 * @throws LandfallError USAGE for a password that breaks the rules of the chat UI, which the error does not
 * contain; STATE_INVALID without an account that may do it; STACK_UNHEALTHY, HTTP_STATUS
 */
export async function setPassword(change: PasswordChange): Promise<void> {
  const { base, secret, account, password } = change;
  // An empty one changes nothing, and the chat UI returns 200.
  if (password === '') throw new LandfallError('USAGE', 'the password is empty');
  const token = signSession(actorOf(change), secret);
  const { status, text } = await post(base, `/api/v1/users/${account.id}/update`, token, {
    password,
  });
  if (status !== 200) throw refused(status, text, 'the password');
}

/**
 * Adds an account through the API of the chat UI (Open WebUI 0.12.4, routers/auths.py, add_user).
 * @throws LandfallError USAGE for an email address that has an account, and what the chat UI rejects; STATE_INVALID,
 *   STACK_UNHEALTHY, HTTP_STATUS
 */
export async function addAccount(addition: Addition): Promise<void> {
  const { base, secret, accounts, account, password } = addition;
  const { email, name, role } = account;
  if (accounts.some((each) => each.email.toLowerCase() === email.toLowerCase())) {
    throw new LandfallError('USAGE', `${plainLine(email)} has an account already`, {
      hint: `Set a new password with \`sudo landfall ui password ${plainLine(email)}\`.`,
    });
  }
  const actor = accounts.find((each) => each.role === 'admin');
  if (!actor) throw noActor();
  const body = { email, name, role, password };
  const { status, text } = await post(base, '/api/v1/auths/add', signSession(actor, secret), body);
  if (status !== 200) throw refused(status, text, 'the account');
}

/** Returns the error for a rejection. Errors of an invalid request contain the request, and are not shown. */
function refused(status: number, text: string, what: string): LandfallError {
  const { detail } = readJson(refusalSchema, text) ?? {};
  if (status === 400) {
    return new LandfallError('USAGE', `the chat UI rejects ${what}: ${plainLine(detail ?? '')}`, {
      hint: {
        en: 'Choose another password, or run the command without --ask to generate one.',
        zh: '换一个密码，或去掉 --ask，由命令生成。',
      },
    });
  }
  return new LandfallError('HTTP_STATUS', `the chat UI rejects the change with status ${status}`, {
    hint:
      status === 401
        ? 'It may not have restarted with the current WEBUI_SECRET_KEY. Run `sudo landfall first-boot`.'
        : `Read its log: ${logCommand('ui')}`,
  });
}

/** Errors of an invalid request repeat the request, but not as text. */
const refusalSchema = z.object({ detail: z.string() });

/** Returns the account whose session makes the change: only the first account may change itself. */
function actorOf({ accounts, account }: PasswordChange): Account {
  const [first] = accounts;
  const actor = account.id === first?.id ? account : accounts.find(({ role }) => role === 'admin');
  if (actor?.role === 'admin') return actor;
  throw noActor();
}

function noActor(): LandfallError {
  return new LandfallError('STATE_INVALID', 'no administrator may change this account', {
    hint: {
      en: 'Run `sudo landfall ui users`. The oldest account must be an administrator.',
      zh: '运行 `sudo landfall ui users`。最早的账户必须是管理员。',
    },
  });
}

async function post(origin: string, path: string, token: string, body: object) {
  const agent = new Agent({ headersTimeout: timeout, bodyTimeout: timeout });
  try {
    const response = await agent.request({
      ...{ origin, path, method: 'POST', body: JSON.stringify(body) },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    let text = '';
    for await (const chunk of response.body.setEncoding('utf8')) {
      text += chunk;
      if (text.length > maxAnswer) break;
    }
    return { status: response.statusCode, text };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new LandfallError('STACK_UNHEALTHY', `the chat UI does not respond: ${message || code}`, {
      hint: { en: `Read its log: ${logCommand('ui')}`, zh: `查看它的日志：${logCommand('ui')}` },
      cause,
    });
  } finally {
    await agent.destroy();
  }
}
