import { LandfallError } from '#contract/errors.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { findAccount } from '../host/account.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { applySettings, areInPlace, overruledFor, wantedSettings } from './apply-settings.ts';
import { lacksHostKey, makeHostKeys } from './host-keys.ts';
import { proveLogin } from './login-proof.ts';
import { offeredMethods } from './offered-methods.ts';
import { flawedKeys, refuseUselessKeys } from './owner-keys.ts';
import { isRootLocked, lockRoot } from './root-login.ts';

/**
 * Over SSH only keys get in, and root does not (SPEC 3.2). Every way that closes is closed after the
 * proof that the owner's stays open, and opens again by itself when that turns out otherwise.
 */
export const sshStage: Stage = {
  name: 'ssh',
  title: 'ssh: keys only, no root, once a login with a key has proved itself',

  async check(context) {
    const { host, site } = context;
    const { admin } = site;
    // sshd tells nothing of its settings without a key.
    if (lacksHostKey(host)) return ['make host keys', close(admin.user)];
    const todo: string[] = [];
    const settings = await wantedSettings(host);
    if (!(await areInPlace(host, settings))) {
      todo.push(close(admin.user));
    } else if (
      (await overruledFor(host, settings, await usersOf(context, admin.user))).length > 0
    ) {
      todo.push('let the settings of SSH come before those that overrule them');
    }
    if (!(await isRootLocked(host))) todo.push("lock root's password, after the same proof");
    return todo;
  },

  async apply({ host, site, report }) {
    const { admin } = site;
    await makeHostKeys(host);
    report.say(`logging in as ${admin.user} with a key, to prove that it works`);
    await proveLogin(host, admin.user);
    await refuseUselessKeys(host, site);
    const settings = await wantedSettings(host);
    const users = ['root', admin.user];
    const inEffect =
      (await areInPlace(host, settings)) &&
      (await overruledFor(host, settings, users)).length === 0;
    if (!inEffect) {
      report.say('closing SSH for passwords and for root');
      await applySettings(host, settings, users, () => proveLogin(host, admin.user));
    }
    if (!(await isRootLocked(host))) await lockRoot(host);
  },

  async prove({ host, site, report }) {
    const { admin } = site;
    for (const flaw of flawedKeys(site)) {
      report.warn({ kind: 'ssh-key', subject: flaw.field, text: formatProblem(flaw) });
    }
    const settings = await wantedSettings(host);
    const problems = await overruledFor(host, settings, ['root', admin.user]);
    for (const user of ['root', admin.user]) {
      const methods = (await offeredMethods(host, user)).join(', ');
      if (methods !== 'publickey') {
        problems.push(`SSH lets ${user} try ${methods || 'nothing at all'}, not a key alone`);
      }
    }
    if (!(await isRootLocked(host))) problems.push('root still has a password');
    if (problems.length > 0) {
      throw new LandfallError('STAGE_FAILED', 'SSH is not closed the way that it should be', {
        hint: 'Look at /etc/ssh/sshd_config and /etc/ssh/sshd_config.d.',
        retriable: false,
        problems: problems.map((message) => ({ message })),
      });
    }
    await proveLogin(host, admin.user);
  },
};

function close(user: string): string {
  return `prove that ${user} can log in with a key, then let SSH take keys only, no root, and current algorithms only`;
}

/** Before the stage of users has run there is only root; sshd asks nothing of who is not there. */
async function usersOf({ host }: Context, user: string): Promise<string[]> {
  return (await findAccount(host, user)) ? ['root', user] : ['root'];
}
