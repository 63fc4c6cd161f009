import { existsSync } from 'node:fs';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { type Account, findAccount, groupId } from '../../server/host/account.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { Measure } from '../../server/stage/measure.ts';

/** Smaller IDs belong to system accounts (`SYS_UID_MAX` of login.defs). */
const firstUserId = 1000;
const shell = '/bin/bash';

/** Creates or repairs the administrator account: it has a home and a shell, and never expires. */
export const adminAccount: Measure = {
  async check({ host, site: { admin } }) {
    const account = await findAccount(host, admin.user);
    if (!account) {
      await refuseGroupOfSystem(host, admin.user);
      return [inLanguage({ en: `create the user ${admin.user}`, zh: `创建用户 ${admin.user}` })];
    }
    refuseSystemAccount(account);
    const repairs = await repairsOf(host, account);
    if (repairs.length === 0) return [];
    const parts = {
      en: repairs.map(({ what }) => what.en).join(', '),
      zh: repairs.map(({ what }) => what.zh).join('、'),
    };
    return [
      inLanguage({
        en: `fix the user ${admin.user}: ${parts.en}`,
        zh: `修正用户 ${admin.user}：${parts.zh}`,
      }),
    ];
  },

  async apply({ host, site: { admin } }) {
    if (!(await findAccount(host, admin.user))) {
      const gid = await refuseGroupOfSystem(host, admin.user);
      const group = gid === undefined ? [] : ['--gid', `${gid}`];
      await host.run('useradd', ['--create-home', '--shell', shell, ...group, admin.user]);
    }
    const account = await findAccount(host, admin.user);
    if (!account) return;
    refuseSystemAccount(account);
    for (const { command } of await repairsOf(host, account)) {
      const [file = '', ...args] = command;
      await host.run(file, args);
    }
  },
};

interface Repair {
  readonly what: Text;
  readonly command: readonly string[];
}

/** Returns the repairs of an account that the provider or an interrupted run created. */
async function repairsOf(host: Host, account: Account): Promise<Repair[]> {
  const { user, home } = account;
  const repairs: Repair[] = [];
  if (!(await isLoginShell(host, account.shell))) {
    repairs.push({
      what: { en: 'login shell', zh: '登录 shell' },
      command: ['usermod', '--shell', shell, user],
    });
  }
  if (!existsSync(host.path(home))) {
    repairs.push({
      what: { en: 'home folder', zh: '主目录' },
      command: ['mkhomedir_helper', user],
    });
  }
  if (await canExpire(host, user)) {
    const never = ['--maxdays', '-1', '--inactive', '-1', '--expiredate', '-1'];
    repairs.push({
      what: { en: 'account expiry', zh: '账户有效期' },
      command: ['chage', ...never, user],
    });
  }
  return repairs;
}

async function isLoginShell(host: Host, path: string): Promise<boolean> {
  if (/\/(?:nologin|false)$/.test(path)) return false;
  const shells = (await readText(host, 'etc/shells')) ?? '';
  return shells.split('\n').includes(path);
}

/**
 * Returns whether the account or its password can expire, by shadow(5). An expired password also
 * blocks logins with a key, because PAM asks for a new one.
 */
async function canExpire(host: Host, user: string): Promise<boolean> {
  const { stdout } = await host.run('getent', ['shadow', user], { accept: [2] });
  const [, , changed, , max, , inactive, expires] = stdout.trimEnd().split(':');
  const ages = max !== undefined && max !== '' && Number(max) >= 0 && Number(max) < 99_999;
  return ages || changed === '0' || Boolean(inactive) || Boolean(expires);
}

function refuseSystemAccount({ user, uid }: Account): void {
  if (uid < firstUserId) throw taken(user, 'an account');
}

/**
 * Returns the ID of an existing group with this name, if there is one.
 * @throws LandfallError CONFIG_INVALID for a group of the system
 */
async function refuseGroupOfSystem(host: Host, name: string): Promise<number | undefined> {
  const gid = await groupId(host, name);
  if (gid !== undefined && gid < firstUserId) throw taken(name, 'a group');
  return gid;
}

function taken(name: string, what: string): LandfallError {
  return new LandfallError('CONFIG_INVALID', `${name} is already used by ${what} of the system`, {
    hint: {
      en: 'Set admin.user in the site to another name and create new user-data, or change it on the server with `sudo landfall site set admin.user`.',
      zh: '在站点中换一个 admin.user 并重新生成 user-data，或在服务器上用 `sudo landfall site set admin.user` 修改。',
    },
  });
}
