import type { Problem } from '#contract/errors.ts';
import { swapSize } from '#contract/sizes/disk-needs.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { moveIntoPlace } from '#files/move-into-place.ts';
import { readText, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { install, type Service, unitFileOf } from '../../server/host/service.ts';
import type { Context } from '../../server/stage/stage.ts';
import { readDiskPlan } from '../preflight/public.ts';
import type { KernelMeasure } from './measure.ts';

const file = 'swapfile';
/** Must match the path (systemd.swap(5)). */
const unit = 'swapfile.swap';
const unitText = `[Unit]
Description=Swap file made by Landfall

[Swap]
What=/${file}

[Install]
WantedBy=swap.target
`;

const service: Service = {
  files: [{ path: unitFileOf(unit), text: unitText }],
  units: [{ name: unit, restart: 'always' }],
};

/** File systems that support swap files, and whether copy-on-write must be disabled. */
const fileSystems: Readonly<Record<string, { readonly copyOnWrite: boolean }>> = {
  ext4: { copyOnWrite: false },
  ext3: { copyOnWrite: false },
  xfs: { copyOnWrite: false },
  btrfs: { copyOnWrite: true },
};

/** Creates a swap file if there is no swap, with the size of the disk plan. */
export const swap: KernelMeasure = {
  needsKernel: { en: 'swap', zh: '交换空间' },
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const size = await sizeToMake(context);
  if (size === 0) return [];
  const shown = formatBytes(size);
  return [inLanguage({ en: `create a swap file of ${shown}`, zh: `创建 ${shown} 的交换文件` })];
}

async function apply(context: Context): Promise<void> {
  const { host, report } = context;
  const size = await sizeToMake(context);
  if (size === 0) return;
  const kind = await fileSystem(host);
  const { copyOnWrite } = fileSystems[kind] ?? {};
  if (copyOnWrite === undefined) {
    const text = {
      en: `no swap file was made: ${kind} does not support it`,
      zh: `没有创建交换文件：${kind} 不支持`,
    };
    report.warn({ kind: 'swap', subject: kind, text });
    return;
  }
  report.say(
    inLanguage({
      en: `creating a swap file of ${formatBytes(size)}`,
      zh: `创建 ${formatBytes(size)} 的交换文件`,
    }),
  );
  await makeFile(host, size, copyOnWrite);
  await install(host, service);
}

/** Checks that swap is active; an unsupported file system is only a warning. */
async function prove(context: Context): Promise<Problem[]> {
  const { host } = context;
  if ((await sizeToMake(context)) === 0) return [];
  if (!((await fileSystem(host)) in fileSystems)) return [];
  return [{ message: 'swap is not active', hint: `Check the unit: sudo systemctl status ${unit}` }];
}

/** Returns the size in bytes; 0 if swap exists or there is no space. */
async function sizeToMake({ host, server, release }: Context): Promise<number> {
  if (await hasSwap(host)) return 0;
  const plan = await readDiskPlan(host, release.version);
  return plan?.swap ?? swapSize(server.memory, server.freeDisk / 10);
}

/** Skips the header line of /proc/swaps. */
async function hasSwap(host: Host): Promise<boolean> {
  const lines = ((await readText(host, 'proc/swaps')) ?? '').split('\n');
  return lines.slice(1).some((line) => line.trim() !== '');
}

async function fileSystem(host: Host): Promise<string> {
  const { stdout } = await host.run('findmnt', [
    '--noheadings',
    '--output',
    'FSTYPE',
    '--target',
    host.root,
  ]);
  return stdout.trim();
}

/** Creates the file under a temporary name; removes those of interrupted runs. */
async function makeFile(host: Host, size: number, copyOnWrite: boolean): Promise<void> {
  const unfinished = `${file}.landfall-new`;
  const path = host.path(unfinished);
  for (const name of await host.namesIn('.')) {
    if (name.startsWith(unfinished)) await removeFile(host, name);
  }
  await writeText(host, unfinished, '', { mode: 0o600 });
  if (copyOnWrite) await host.run('chattr', ['+C', path]);
  await host.run('fallocate', ['--length', `${size}`, path]);
  await host.run('mkswap', [path]);
  await moveIntoPlace(path, host.path(file));
}
