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
 * The owner's account: a key opens it over SSH, a password on the console, sudo makes it root
 * (SPEC 1.3 and 5). Root stays as it is until the next stage has its proof.
 */
export const usersStage: Stage = {
  name: 'users',
  title: "users: the owner's account, with keys, sudo and a way in over the console",

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
      throw new LandfallError('STAGE_FAILED', "the owner's account does not work", {
        hint: 'Root and passwords stay as they were.',
        retriable: false,
        problems,
      });
    }
    const { host, site, report } = context;
    for (const warning of await otherLogins(host, site.admin.user)) report.warn(warning);
  },
};

async function flawOfSudo({ host, site: { admin } }: Context): Promise<Problem | undefined> {
  const args = ['--user', admin.user, '--', 'sudo', '--non-interactive', 'true'];
  if (await host.succeeds('runuser', args)) return undefined;
  return {
    message: `${admin.user} does not become root with sudo`,
    hint: 'A rule in /etc/sudoers.d that is read later may say otherwise: sudo -l -U shows it.',
  };
}

/** A password that the owner changed is fine; `landfall credentials` then knows it no more. */
async function flawOfConsole({
  host,
  site: { admin },
  report,
}: Context): Promise<Problem | undefined> {
  if (!(await host.succeeds('unix_chkpwd', [admin.user, 'chkexpiry']))) {
    return { message: `${admin.user} may not log in: the account has expired or is locked` };
  }
  const password = await readSecret(host, consolePasswordName);
  if (password === undefined || !(await opensConsole(host, admin.user, password))) {
    report.warn({
      kind: 'console',
      subject: admin.user,
      text: `the console password of ${admin.user} was changed here, and is no more the one that landfall credentials shows`,
    });
  }
  if (!(await hasPrompt(host))) {
    report.warn({
      kind: 'console',
      subject: 'login prompt',
      text: 'no login prompt runs on a console of this server: SSH is the only way in',
    });
  }
  return undefined;
}
