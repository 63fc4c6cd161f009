import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { type Account, allAccounts, homePath } from '../../server/host/account.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { throughPipes } from '../../server/host/run/pipes.ts';
import { readSecret } from '../../server/host/secret-file.ts';
import { isEnabled } from '../../server/host/service.ts';
import { keyOf, keysIn } from '../../server/host/sshd/authorized-keys.ts';
import { checkMeasures, type Measure } from '../../server/stage/measure.ts';
import type { BilingualWarning } from '../../server/stage/reporter.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { adminAccount } from './admin-account.ts';
import { consolePassword, consolePasswordName, opensConsole } from './console-password.ts';
import { loginKeys } from './login-keys.ts';
import { sudoRights } from './sudo-rights.ts';

/** Units that show a login prompt: on a screen, a serial line, the console of a container. */
const prompts = [
  'getty@*.service',
  'serial-getty@*.service',
  'console-getty.service',
  'container-getty@*.service',
];
const onScreen = 'getty@tty1.service';

const consolePrompt: Measure = {
  async check({ host }) {
    if ((await hasPrompt(host)) || (await isEnabled(host, onScreen))) return [];
    return [inLanguage({ en: 'show a login prompt on the console', zh: '在控制台显示登录提示' })];
  },
  async apply({ host }) {
    if (await hasPrompt(host)) return;
    await host.run('systemctl', ['enable', '--quiet', onScreen]);
    // This fails without harm on a machine without a screen.
    await host.succeeds('systemctl', ['start', '--no-block', onScreen]);
  },
};

async function hasPrompt(host: Host): Promise<boolean> {
  const args = ['list-units', '--plain', '--no-legend', '--state=active', ...prompts];
  return (await host.run('systemctl', args)).stdout.trim() !== '';
}

const steps: readonly Measure[] = [
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

  check: async (context) => await checkMeasures(steps, context),

  async apply(context) {
    for (const step of steps) {
      for (const line of await step.check(context)) context.report.say(line);
      await step.apply(context);
    }
  },

  async prove(context) {
    const problems = [await flawOfSudo(context), await flawOfConsole(context)].filter(
      (problem) => problem !== undefined,
    );
    if (problems.length > 0) {
      throw new LandfallError('STAGE_FAILED', 'the administrator account does not work', {
        hint: {
          en: 'Fix the problems above. Root login and passwords were not changed.',
          zh: '解决上面的问题。root 登录和密码没有更改。',
        },
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
  if (!(await host.succeeds(...throughPipes('unix_chkpwd', [admin.user, 'chkexpiry'])))) {
    return { message: `${admin.user} cannot log in: the account has expired or is locked` };
  }
  const password = await readSecret(host, consolePasswordName);
  if (password === undefined || !(await opensConsole(host, admin.user, password))) {
    report.warn({
      kind: 'console',
      subject: admin.user,
      text: {
        en: `the console password of ${admin.user} was changed on the server: the one in landfall credentials is outdated`,
        zh: `${admin.user} 的控制台密码已在服务器上更改：landfall credentials 中的已过时`,
      },
    });
  }
  if (!(await hasPrompt(host))) {
    report.warn({
      kind: 'console',
      subject: 'login prompt',
      text: {
        en: 'no console of this server shows a login prompt: login is possible over SSH only',
        zh: '这台服务器的控制台都没有登录提示：只能通过 SSH 登录',
      },
    });
  }
  return undefined;
}

/**
 * Warns about other accounts with SSH keys that are not in the site: root and users of the provider's
 * image. They are not changed (docs/decisions/0010-administrator-account.md).
 */
export async function otherLogins(
  host: Host,
  { user, ssh_keys }: Site['admin'],
): Promise<BilingualWarning[]> {
  const known = new Set(ssh_keys.map((key) => keyOf(key) ?? key));
  const warnings: BilingualWarning[] = [];
  for (const account of await allAccounts(host)) {
    if (account.user === user || (account.uid !== 0 && account.uid < 1000)) continue;
    const count = await countKeys(host, account, known);
    if (count === 0) continue;
    const keys = `${count} SSH key${count > 1 ? 's' : ''}`;
    const text =
      account.uid === 0
        ? {
            en: `root has ${keys} that ${count > 1 ? 'stop' : 'stops'} working when root login is disabled; add the keys to keep to admin.ssh_keys of the site`,
            zh: `root 有 ${count} 个 SSH 密钥，禁止 root 登录后失效；要保留的密钥请加入站点的 admin.ssh_keys`,
          }
        : {
            en: `${account.user} can log in as well, with ${keys} that ${count > 1 ? 'are' : 'is'} not in the site`,
            zh: `${account.user} 也能登录，它有 ${count} 个站点中没有的 SSH 密钥`,
          };
    warnings.push({ kind: 'login', subject: account.user, text });
  }
  return warnings;
}

/**
 * Counts the keys of an account that are not known. Copies by cloud-init that only print a message do
 * not count.
 */
async function countKeys(
  host: Host,
  account: Account,
  known: ReadonlySet<string>,
): Promise<number> {
  const text = (await readText(host, homePath(account, '.ssh/authorized_keys'))) ?? '';
  const useful = text.split('\n').filter((line) => !/Please login as the user/.test(line));
  return keysIn(useful.join('\n')).filter((key) => !known.has(key)).length;
}
