import { LandfallError } from '#contract/errors.ts';
import { inBoth, inLanguage } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { findAccount } from '../../server/host/account.ts';
import type { Host } from '../../server/host/host.ts';
import { sshListeners } from '../../server/host/sshd/ssh-listeners.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { applySettings, areInPlace, overriddenFor, wantedSettings } from './apply-settings.ts';
import { lacksHostKey, makeHostKeys } from './host-keys.ts';
import { flawedKeys, proveLogin, refuseUselessKeys } from './login-proof.ts';
import { loginOverLoopback, loopbackEndpoints } from './loopback-login.ts';

/**
 * Allows SSH logins with keys only, and none as root (SPEC 3.2). Other logins are disabled after a
 * test login as the administrator, and enabled again automatically if a later test fails.
 */
export const sshStage: Stage = {
  name: 'ssh',
  title: 'ssh: keys only, no root, after a test login with a key',

  async check(context) {
    const { host, site } = context;
    const { admin } = site;
    // sshd does not print its settings without a host key.
    if (lacksHostKey(host))
      return [inLanguage({ en: 'generate host keys', zh: '生成主机密钥' }), close(admin.user)];
    const todo: string[] = [];
    const settings = await wantedSettings(host);
    if (!(await areInPlace(host, settings))) {
      todo.push(close(admin.user));
    } else if (
      (await overriddenFor(host, settings, await usersOf(context, admin.user))).length > 0
    ) {
      todo.push(inLanguage({ en: 'override other settings of SSH', zh: '覆盖 SSH 的其他设置' }));
    }
    if (!(await isRootLocked(host))) {
      todo.push(
        inLanguage({
          en: "lock root's password after the test login",
          zh: '测试登录后锁定 root 的密码',
        }),
      );
    }
    return todo;
  },

  async apply({ host, site, report }) {
    const { admin } = site;
    await makeHostKeys(host);
    report.say(
      inLanguage({
        en: `logging in as ${admin.user} with a key to test SSH`,
        zh: `用密钥以 ${admin.user} 登录，测试 SSH`,
      }),
    );
    await proveLogin(host, admin.user);
    await refuseUselessKeys(host, site);
    const settings = await wantedSettings(host);
    const users = ['root', admin.user];
    const inEffect =
      (await areInPlace(host, settings)) &&
      (await overriddenFor(host, settings, users)).length === 0;
    if (!inEffect) {
      report.say(
        inLanguage({
          en: 'disabling SSH logins with passwords and as root',
          zh: '关闭 SSH 的密码登录和 root 登录',
        }),
      );
      await applySettings(host, settings, users, () => proveLogin(host, admin.user));
    }
    if (!(await isRootLocked(host))) await lockRoot(host);
  },

  async prove({ host, site, report }) {
    const { admin } = site;
    for (const flaw of flawedKeys(site)) {
      report.warn({ kind: 'ssh-key', subject: flaw.field, text: inBoth(formatProblem(flaw)) });
    }
    const settings = await wantedSettings(host);
    const problems = await overriddenFor(host, settings, ['root', admin.user]);
    for (const user of ['root', admin.user]) {
      const methods = (await offeredMethods(host, user)).join(', ');
      if (methods !== 'publickey') {
        problems.push(
          `sshd offers ${user} these methods, not only publickey: ${methods || 'none'}`,
        );
      }
    }
    if (!(await isRootLocked(host))) problems.push('root has a password that is not locked');
    if (problems.length > 0) {
      throw new LandfallError('STAGE_FAILED', 'the SSH settings are not in effect', {
        hint: {
          en: 'Check /etc/ssh/sshd_config and /etc/ssh/sshd_config.d.',
          zh: '检查 /etc/ssh/sshd_config 和 /etc/ssh/sshd_config.d。',
        },
        retriable: false,
        problems: problems.map((message) => ({ message })),
      });
    }
    await proveLogin(host, admin.user);
  },
};

function close(user: string): string {
  return inLanguage({
    en: `test a login as ${user} with a key, then allow only keys, no root and current algorithms in SSH`,
    zh: `用密钥测试 ${user} 的登录，然后 SSH 只允许密钥、禁止 root，并只用当前的算法`,
  });
}

/** Before the users stage the administrator account may not exist, and sshd rejects unknown users. */
async function usersOf({ host }: Context, user: string): Promise<string[]> {
  return (await findAccount(host, user)) ? ['root', user] : ['root'];
}

async function isRootLocked(host: Host): Promise<boolean> {
  const { stdout } = await host.run('passwd', ['--status', 'root']);
  return stdout.split(' ')[1] === 'L';
}

/** Locks the password of root; `sudo passwd --unlock root` unlocks it. */
async function lockRoot(host: Host): Promise<void> {
  await host.run('passwd', ['--quiet', '--lock', 'root']);
}

/**
 * Returns the authentication methods that the running sshd offers a user, such as `publickey`. They
 * are read from its response to a client without credentials, not from its files.
 */
export async function offeredMethods(host: Host, user: string): Promise<string[]> {
  const endpoints = loopbackEndpoints(await sshListeners(host));
  const { stderr } = await loginOverLoopback(host, { user, endpoints });
  const [, methods = ''] = /Permission denied \(([a-z,-]+)\)/.exec(stderr) ?? [];
  return methods.split(',').filter((method) => method !== '');
}
