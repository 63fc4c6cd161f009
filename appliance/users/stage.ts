import { LandfallError, type Problem } from '#contract/errors.ts';
import { readSecret } from '../host/secret-file.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { adminAccount } from './admin-account.ts';
import { consolePassword, consolePasswordName, opensConsole } from './console-password.ts';
import { consolePrompt, hasPrompt } from './console-prompt.ts';
import { loginKeys } from './login-keys.ts';
import { otherLogins } from './other-logins.ts';
import type { Step } from './step.ts';
import { sudoRights } from './sudo-rights.ts';

const steps: readonly Step[] = [
  adminAccount,
  sudoRights,
  loginKeys,
  consolePassword,
  consolePrompt,
];

/**
 * Sets up the administrator account: login with a key over SSH and with a password on the console,
 * root through sudo (SPEC 1.3 and 5). Root login is unchanged until the next stage has tested SSH.
 */
export const usersStage: Stage = {
  name: 'users',
  title: 'users: administrator account with SSH keys, sudo and console login',

  async check(context) {
    const sentences: string[] = [];
    for (const step of steps) {
      const todo = await step.todo(context);
      if (todo !== undefined) sentences.push(todo);
    }
    return sentences;
  },

  async apply(context) {
    for (const step of steps) {
      const todo = await step.todo(context);
      if (todo !== undefined) context.report.say(todo);
      await step.apply(context);
    }
  },

  async prove(context) {
    const problems = [await flawOfSudo(context), await flawOfConsole(context)].filter(
      (problem) => problem !== undefined,
    );
    if (problems.length > 0) {
      throw new LandfallError('STAGE_FAILED', 'the administrator account does not work', {
        hint: 'Fix the problems below. Root login and passwords were not changed.',
        retriable: false,
        problems,
      });
    }
    const { host, site, report } = context;
    for (const warning of await otherLogins(host, site.admin)) report.warn(warning);
  },
};

async function flawOfSudo({ host, site: { admin } }: Context): Promise<Problem | undefined> {
  const args = ['--user', admin.user, '--', 'sudo', '--non-interactive', 'true'];
  if (await host.succeeds('runuser', args)) return undefined;
  return {
    message: `${admin.user} cannot become root with sudo`,
    hint: 'Check for a later rule in /etc/sudoers.d with: sudo -l -U',
  };
}

/** Checks the console login. A password that the administrator changed is only a warning. */
async function flawOfConsole({
  host,
  site: { admin },
  report,
}: Context): Promise<Problem | undefined> {
  if (!(await host.succeeds('unix_chkpwd', [admin.user, 'chkexpiry']))) {
    return { message: `${admin.user} cannot log in: the account has expired or is locked` };
  }
  const password = await readSecret(host, consolePasswordName);
  if (password === undefined || !(await opensConsole(host, admin.user, password))) {
    report.warn({
      kind: 'console',
      subject: admin.user,
      text: `the console password of ${admin.user} was changed on the server: the one in landfall credentials is outdated`,
    });
  }
  if (!(await hasPrompt(host))) {
    report.warn({
      kind: 'console',
      subject: 'login prompt',
      text: 'no console of this server shows a login prompt: login is possible over SSH only',
    });
  }
  return undefined;
}
