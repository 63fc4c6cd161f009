import { statfs } from 'node:fs/promises';
import { formatBytes } from '#contract/text/amount.ts';
import { inBoth, type Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { isMissing } from '#files/open-regular.ts';
import { denialsOf, describeDenial } from '../../../server/host/apparmor.ts';
import type { Host } from '../../../server/host/host.ts';
import { isActive } from '../../../server/host/service.ts';
import { checkClock, describeClock } from '../../../stages/preflight/clock.ts';
import { type Finding, type Fix, serverCheck, siteCheck } from '../finding.ts';

/** Reports a wrong clock, which makes TLS reject valid certificates. */
export const clockCheck = siteCheck({ name: 'clock', root: false }, async (context) => {
  const [problems, todo] = await Promise.all([checkClock(context), describeClock(context)]);
  const texts = [
    ...problems.map(({ message }) => inBoth(message)),
    ...todo.map((line) => ({
      en: `the clock is wrong: a first boot would ${line}`,
      zh: `时钟不准：首次启动会${line}`,
    })),
  ];
  return texts.map((text) => ({ code: 'CLOCK_WRONG', subject: 'clock', text }));
});

/** Folders that must be writable, each possibly on its own file system. */
const folders = ['.', 'var', 'var/lib/docker', 'var/lib/landfall', 'var/log', 'tmp'];
/** Bytes. The preflight rejects a server with less. */
const minFree = 0.3e9;
/** Share of the inodes. A file system without inodes is full, whatever `df` shows. */
const minInodes = 0.01;

interface Usage {
  readonly folder: string;
  /** Bytes. */
  readonly free: number;
  readonly size: number;
  /** 0 to 1; 1 if the file system has no fixed number of inodes. */
  readonly inodes: number;
}

/** Reports file systems without free space or inodes. */
export const diskCheck = serverCheck({ name: 'disk', root: false }, async (host) =>
  checkDisks((await Promise.all(folders.map((folder) => usageOf(host, folder)))).flat()),
);

async function usageOf(host: Host, folder: string): Promise<Usage[]> {
  try {
    const { bavail, bsize, blocks, files, ffree } = await statfs(host.path(folder));
    const inodes = files === 0 ? 1 : ffree / files;
    return [{ folder, free: bavail * bsize, size: blocks * bsize, inodes }];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Returns one finding per full file system. A small one counts as full below a twentieth. */
export function checkDisks(disks: readonly Usage[]): Finding[] {
  const full = disks.filter(
    ({ free, size, inodes }) => free < Math.min(minFree, size / 20) || inodes < minInodes,
  );
  // Folders on one file system have the same figures.
  const distinct = new Map(full.map((each) => [`${each.size} ${each.free}`, each]));
  return [...distinct.values()].map(({ folder, free, inodes }) => ({
    code: 'DISK_FULL',
    subject: folder === '.' ? '/' : `/${folder}`,
    text: describeFull(`/${folder === '.' ? '' : folder}`, inodes < minInodes ? undefined : free),
    fix: freeSomeSpace,
  }));
}

/** @param free undefined: there are no inodes */
function describeFull(path: string, free: number | undefined): Text {
  if (free === undefined) {
    return {
      en: `the file system of ${path} has no free inodes`,
      zh: `${path} 所在的文件系统没有空闲的 inode`,
    };
  }
  return {
    en: `only ${formatBytes(free)} is free in ${path}`,
    zh: `${path} 只剩 ${formatBytes(free)}`,
  };
}

const freeSomeSpace: Fix = {
  does: {
    en: 'remove downloaded packages, and journal entries beyond 100 MB',
    zh: '删除下载的软件包，以及超过 100 MB 的日志',
  },
  apply: async ({ host }) => {
    await host.run('apt-get', ['clean']);
    await host.run('journalctl', ['--vacuum-size=100M']);
  },
};

/** Seconds. Package scripts may restart services. */
const configureSeconds = 600;

/** Reports packages that are only partly installed, for example after a power cut. */
export const packagesCheck = serverCheck({ name: 'packages', root: false }, async (host) => {
  const { stdout } = await host.run('dpkg', ['--audit'], { accept: [1] });
  if (stdout.trim() === '') return [];
  // Packages are indented; the lines between them explain the state.
  const names = stdout.split('\n').filter((line) => /^ \S/.test(line));
  return [
    {
      code: 'PACKAGES_BROKEN',
      subject: 'dpkg',
      text: { en: 'packages are not fully installed', zh: '有软件包没有装完' },
      details: names.map((line) => plainLine(line)),
      fix: {
        does: {
          en: 'complete the interrupted installation of packages',
          zh: '完成被中断的软件包安装',
        },
        apply: async ({ host: server }) =>
          void (await server.run('dpkg', ['--configure', '-a', '--force-confold'], {
            seconds: configureSeconds,
          })),
      },
    },
  ];
});

/** Units of Landfall and those that it needs; others are the administrator's. */
const ours = /^(?:landfall-.*|docker|containerd|ssh|nftables|ufw|fail2ban|systemd-resolved)\./;

/** Reports failed units of systemd that Landfall depends on. */
export const servicesCheck = serverCheck({ name: 'services', root: false }, async (host) => {
  const args = ['--failed', '--plain', '--no-legend', '--full'];
  const { stdout } = await host.run('systemctl', ['list-units', ...args]);
  const failed = stdout
    .split('\n')
    .map((line) => plainLine(line.trim().split(/\s+/)[0] ?? ''))
    .filter((unit) => ours.test(unit));
  return failed.map((unit) => ({
    code: 'SERVICE_FAILED',
    subject: unit,
    text: { en: `the unit ${unit} has failed`, zh: `单元 ${unit} 运行失败` },
  }));
});

/** Reports files that AppArmor keeps from programs of Landfall. */
export const appArmorCheck = serverCheck({ name: 'apparmor', root: true }, async (host) =>
  (await denialsOf(host)).map((denial) => ({
    code: 'APPARMOR_DENIED',
    subject: denial.profile,
    text: describeDenial(denial),
  })),
);

const unit = 'fail2ban.service';

/** Reports a fail2ban that does not run or does not answer. */
export const banCheck = serverCheck({ name: 'ban', root: true }, async (host) => {
  const text = !(await isActive(host, unit))
    ? { en: 'fail2ban is not running', zh: 'fail2ban 没有运行' }
    : (await host.succeeds('fail2ban-client', ['ping']))
      ? undefined
      : { en: 'fail2ban does not answer', zh: 'fail2ban 没有响应' };
  if (text === undefined) return [];
  return [
    {
      code: 'BAN_DOWN',
      subject: 'fail2ban',
      text: {
        en: `${text.en}, so guessing clients are not banned`,
        zh: `${text.zh}，猜测密码的客户端不会被封禁`,
      },
      fix: {
        does: { en: 'restart fail2ban', zh: '重启 fail2ban' },
        apply: async ({ host: server }) => {
          await server.succeeds('systemctl', ['reset-failed', unit]);
          await server.run('systemctl', ['restart', unit]);
        },
      },
    },
  ];
});

/** Reports a release that gets no security updates any more. */
export const releaseCheck = siteCheck(
  { name: 'release', root: false },
  async ({ release: { version, expires } }) => {
    if (Date.now() < Date.parse(expires)) return [];
    const text = {
      en: `release ${version} expired on ${expires}`,
      zh: `版本 ${version} 已于 ${expires} 过期`,
    };
    return [{ code: 'RELEASE_EXPIRED', subject: version, text }];
  },
);
