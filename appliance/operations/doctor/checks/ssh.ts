import { LandfallError } from '#contract/errors.ts';
import { inBoth, type Text } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { findAccount } from '../../../server/host/account.ts';
import { isActive } from '../../../server/host/service.ts';
import { checkSshdSettings, sshdSettings } from '../../../server/host/sshd/sshd.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { keysOnly, overridden } from '../../../stages/ssh/apply-settings.ts';
import { refuseUselessKeys } from '../../../stages/ssh/login-proof.ts';
import { loginKeys } from '../../../stages/users/login-keys.ts';
import { sudoRights } from '../../../stages/users/sudo-rights.ts';
import { type Finding, siteCheck } from '../finding.ts';

/**
 * Reports what would lock the administrator out of SSH at the next login or restart of sshd. Has no
 * fix: a wrong change here is the one that cannot be repaired from outside.
 */
export const sshCheck = siteCheck({ name: 'ssh', root: true }, async (context) => [
  ...(await risks(context)).map(
    (text): Finding => ({ code: 'SSH_LOCKOUT_RISK', subject: 'ssh', text }),
  ),
  ...(await openings(context)),
]);

/** Reports settings of sshd that let in whom a key does not. */
async function openings({ host }: Context): Promise<Finding[]> {
  const now = await sshdSettings(host).catch((error: unknown) => {
    // Invalid settings are a risk of their own.
    if (error instanceof LandfallError) return new Map();
    throw error;
  });
  return overridden(keysOnly, now)
    .filter(({ found }) => found !== 'not set')
    .map(({ keyword, found }) => ({
      code: 'SSH_OPENED',
      subject: keyword,
      text: {
        en: `sshd no longer accepts keys only: ${keyword} is ${found}`,
        zh: `sshd 不再只接受密钥：${keyword} 是 ${found}`,
      },
    }));
}

async function risks(context: Context): Promise<Text[]> {
  const { host, site } = context;
  const { user } = site.admin;
  if (!(await findAccount(host, user))) {
    return [{ en: `the administrator ${user} has no account`, zh: `管理员 ${user} 没有账户` }];
  }
  const [settings, keys, usable, sudo, service, socket] = await Promise.all([
    failureOf(checkSshdSettings(host)),
    loginKeys.check(context),
    failureOf(refuseUselessKeys(host, site)),
    sudoRights.check(context),
    isActive(host, 'ssh.service'),
    isActive(host, 'ssh.socket'),
  ]);
  return [
    ...(service || socket ? [] : [{ en: 'sshd is not running', zh: 'sshd 没有运行' }]),
    ...settings.map((reason) => ({
      en: `sshd would reject its settings at the next start: ${reason}`,
      zh: `sshd 下次启动时会拒绝它的设置：${reason}`,
    })),
    ...usable.map(inBoth),
    ...[...keys, ...sudo].map((line) => ({
      en: `a first boot would ${line}`,
      zh: `首次启动会${line}`,
    })),
  ];
}

/** Returns the error of a verification as one line; empty if it succeeds. */
async function failureOf(verification: Promise<void>): Promise<string[]> {
  try {
    await verification;
    return [];
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    return [[error, ...error.problems].map(({ message }) => formatProblem({ message })).join('; ')];
  }
}
