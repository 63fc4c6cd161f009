import { chmod } from 'node:fs/promises';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { statIfPresent } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { install, isEnabled, isInPlace, type Service } from '../../server/host/service.ts';
import { checkMeasures, serviceMeasure } from '../../server/stage/measure.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import type { KernelMeasure } from './measure.ts';
import { securityUpgrades } from './security-upgrades.ts';
import { swap } from './swap.ts';
import { sysctls } from './sysctls.ts';
import { timeKeeping, timeZone } from './time.ts';

export const journalFile = 'etc/systemd/journald.conf.d/90-landfall.conf';

const journalSettings: Readonly<Record<string, string>> = {
  Storage: 'persistent',
  SystemMaxUse: '500M',
  SystemKeepFree: '1G',
  MaxRetentionSec: '3month',
};
const journalText = [
  '# Made by Landfall.',
  '[Journal]',
  ...Object.entries(journalSettings).map(([name, value]) => `${name}=${value}`),
  '',
].join('\n');

const settingsFile = serviceMeasure(() => ({
  files: [{ path: journalFile, text: journalText }],
  summary: {
    en: 'make the journal persistent, with at most 500 MB',
    zh: '让日志持久保存，最多 500 MB',
  },
}));

/** Makes the journal persistent and limits its size. */
export const journalCap: KernelMeasure = {
  ...settingsFile,

  async apply(context) {
    const { host } = context;
    await settingsFile.apply(context);
    await host.run('systemctl', ['restart', 'systemd-journald']);
    await host.run('journalctl', ['--flush']);
  },

  async prove({ host }) {
    const { stdout } = await host.run('systemd-analyze', ['cat-config', 'systemd/journald.conf']);
    return Object.entries(journalSettings).flatMap(([name, value]) => {
      const last = [...stdout.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].at(-1)?.[1];
      if (last === value) return [];
      const hint = 'See: systemd-analyze cat-config systemd/journald.conf';
      return [{ message: `journald setting ${name} is ${last ?? 'not set'}, not ${value}`, hint }];
    });
  },
};

/** Settings for logins, and for systemd's collector if it is installed. */
const coreDumpSettings: Service = {
  files: [
    {
      path: 'etc/security/limits.d/90-landfall.conf',
      text: '# Made by Landfall.\n* hard core 0\nroot hard core 0\n',
    },
    {
      path: 'etc/systemd/coredump.conf.d/90-landfall.conf',
      text: '# Made by Landfall.\n[Coredump]\nStorage=none\nProcessSizeMax=0\n',
    },
  ],
};
/** Ubuntu's collector sets core_pattern at boot, after sysctl.d. */
const collector = 'apport.service';

/** Disables core dumps, because they contain secrets. */
export const coreDumps: KernelMeasure = {
  async check({ host }) {
    const isRight =
      (await isInPlace(host, coreDumpSettings)) && !(await isEnabled(host, collector));
    return isRight ? [] : [inLanguage({ en: 'disable core dumps', zh: '禁用核心转储' })];
  },

  async apply({ host }) {
    await install(host, coreDumpSettings);
    if (await isEnabled(host, collector)) {
      await host.run('systemctl', ['disable', '--now', collector]);
    }
  },

  /** Checks the limit of a new login. */
  async prove({ host }) {
    const { stdout } = await host.run('runuser', ['-u', 'nobody', '--', 'sh', '-c', 'ulimit -Hc']);
    const limit = stdout.trim();
    if (limit === '0') return [];
    const hint = 'Check for a later file in /etc/security/limits.d.';
    return [{ message: `core dumps are enabled for logins (limit ${limit})`, hint }];
  },
};

/** Maximum permissions of files that only root needs, as security audits expect. */
const modes: Readonly<Record<string, number>> = {
  'etc/crontab': 0o600,
  'etc/cron.d': 0o700,
  'etc/cron.hourly': 0o700,
  'etc/cron.daily': 0o700,
  'etc/cron.weekly': 0o700,
  'etc/cron.monthly': 0o700,
  'etc/ssh/sshd_config': 0o600,
  'etc/sudoers.d': 0o750,
  root: 0o700,
};

function restricts(paths: string): string {
  return inLanguage({ en: `restrict the permissions of ${paths}`, zh: `收紧 ${paths} 的权限` });
}

/** Restricts the permissions of root's files. */
export const permissions: KernelMeasure = {
  check: async ({ host }) => {
    const open = await wrong(host);
    return open.length === 0 ? [] : [restricts(open.map(({ path }) => `/${path}`).join(', '))];
  },
  apply: async ({ host }) => {
    for (const { path, mode, actual } of await wrong(host)) {
      await chmod(host.path(path), actual & mode);
    }
  },
  prove: async ({ host }: Context): Promise<Problem[]> =>
    (await wrong(host)).map(({ path, actual }) => ({
      message: `/${path} has permissions ${actual.toString(8)}`,
    })),
};

/** Returns the files with too many permissions; stricter ones are kept. */
async function wrong(host: Host) {
  const found = await Promise.all(
    Object.entries(modes).map(async ([path, mode]) => {
      const actual = ((await statIfPresent(host, path))?.mode ?? 0) & 0o7777;
      return { path, mode, actual };
    }),
  );
  return found.filter(({ mode, actual }) => (actual & ~mode) !== 0);
}

export const modulesFile = 'etc/modprobe.d/90-landfall.conf';

/** Unused network protocols whose modules had local vulnerabilities. */
const modules = ['dccp', 'sctp', 'rds', 'tipc'];
const modulesText = [
  '# Made by Landfall.',
  ...modules.map((name) => `install ${name} /bin/false`),
  '',
].join('\n');

/** Prevents the kernel from loading unused protocols. */
export const protocols: KernelMeasure = {
  needsKernel: { en: 'its modules', zh: '内核模块' },
  ...serviceMeasure(() => ({
    files: [{ path: modulesFile, text: modulesText }],
    summary: {
      en: `disable the kernel modules ${modules.join(', ')}`,
      zh: `禁用内核模块 ${modules.join(', ')}`,
    },
  })),
  prove,
};

async function prove({ host }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('modprobe', ['--showconfig']);
  const lines = stdout.split('\n').map((line) => line.trim());
  return modules
    .filter((name) => !lines.includes(`install ${name} /bin/false`))
    .map((name) => ({
      message: `the kernel can load ${name}`,
      hint: 'See: modprobe --showconfig',
    }));
}

const measures: readonly KernelMeasure[] = [
  timeKeeping,
  timeZone,
  // Before sysctls: Ubuntu's collector resets core_pattern when it stops.
  coreDumps,
  sysctls,
  swap,
  securityUpgrades,
  journalCap,
  protocols,
  permissions,
];

/** Applies settings of the kernel and the system. */
export const kernelStage: Stage = {
  name: 'kernel',
  title: 'kernel: settings, swap, time, security upgrades',
  check: async (context) => await checkMeasures(possible(context), context),
  apply: async (context) => {
    // All measures: after an interruption, a check may find the file written but not applied.
    for (const measure of possible(context)) await measure.apply(context);
  },
  prove: async (context) => {
    warnOfOmissions(context);
    const problems = [];
    for (const measure of possible(context)) problems.push(...(await measure.prove(context)));
    if (problems.length === 0) return;
    throw new LandfallError('HOST_SETTINGS', 'system settings are not in effect', {
      hint: {
        en: 'Remove the settings that override ours, as described for each.',
        zh: '按每条说明，删除覆盖了本设置的设置。',
      },
      problems,
    });
  },
};

function possible({ server }: Context): KernelMeasure[] {
  return measures.filter(({ needsKernel }) => !needsKernel || server.container === undefined);
}

function warnOfOmissions({ server, report }: Context): void {
  if (server.container === undefined) return;
  const left = measures.map(({ needsKernel }) => needsKernel).filter((what) => what !== undefined);
  const text = {
    en: `this is a container (${server.container}); set these on its host: ${left.map(({ en }) => en).join(', ')}`,
    zh: `这是容器（${server.container}）；请在它的宿主机上设置：${left.map(({ zh }) => zh).join('、')}`,
  };
  report.warn({ kind: 'kernel', subject: server.container, text });
}
