import { readdir } from 'node:fs/promises';
import type { Problem } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { moveIntoPlace } from '#files/move-into-place.ts';
import { readDiskPlan } from '../host/disk-plan.ts';
import { isFile, isMissing, readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { swapSize } from '../host/swap-size.ts';
import { enableNow } from '../host/systemd.ts';
import type { Context } from '../stage/stage.ts';
import type { Measure } from './measure.ts';

const file = 'swapfile';
/** systemd names it after the path, systemd.swap(5). */
const unit = 'swapfile.swap';
const unitFile = `etc/systemd/system/${unit}`;
const unitText = `[Unit]
Description=Swap file made by Landfall

[Swap]
What=/${file}

[Install]
WantedBy=swap.target
`;

/** File systems whose files can carry swap, and whether a file must be kept from being copied. */
const fileSystems: Readonly<Record<string, { readonly copyOnWrite: boolean }>> = {
  ext4: { copyOnWrite: false },
  ext3: { copyOnWrite: false },
  xfs: { copyOnWrite: false },
  btrfs: { copyOnWrite: true },
};

/** A swap file where there is no swap yet, sized by what the disk plan leaves for it. */
export const swap: Measure = { needsKernel: 'swap', check, apply, prove };

async function check(context: Context): Promise<string[]> {
  const size = await sizeToMake(context);
  return size === 0 ? [] : [`make a swap file of ${formatBytes(size)}`];
}

async function apply(context: Context): Promise<void> {
  const { host, report } = context;
  const size = await sizeToMake(context);
  if (size === 0) return;
  const kind = await fileSystem(host);
  const { copyOnWrite } = fileSystems[kind] ?? {};
  if (copyOnWrite === undefined) {
    const text = `no swap was made: a file on ${kind} cannot carry it`;
    report.warn({ kind: 'swap', subject: kind, text });
    return;
  }
  report.say(`making a swap file of ${formatBytes(size)}`);
  await makeFile(host, size, copyOnWrite);
  if (!(await isFile(host, unitFile, unitText))) await writeText(host, unitFile, unitText);
  await enableNow(host, unit);
}

/** Swap that could not be made was warned of. */
async function prove(context: Context): Promise<Problem[]> {
  const { host } = context;
  if ((await sizeToMake(context)) === 0) return [];
  if (!((await fileSystem(host)) in fileSystems)) return [];
  return [{ message: 'there is no swap', hint: `See: sudo systemctl status ${unit}` }];
}

/** 0 where there is swap already, or no room for it. */
async function sizeToMake({ host, server, release }: Context): Promise<number> {
  if (await hasSwap(host)) return 0;
  const plan = await readDiskPlan(host, release.version);
  return plan?.swap ?? swapSize(server.memory, server.freeDisk / 10);
}

/** The first line of /proc/swaps is a heading. */
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

/** It has its name only once it is whole; what an earlier run left half made goes. */
async function makeFile(host: Host, size: number, copyOnWrite: boolean): Promise<void> {
  const unfinished = `${file}.landfall-new`;
  const path = host.path(unfinished);
  for (const name of await leftOvers(host)) await removeFile(host, name);
  await writeText(host, unfinished, '', { mode: 0o600 });
  if (copyOnWrite) await host.run('chattr', ['+C', path]);
  await host.run('fallocate', ['--length', `${size}`, path]);
  await host.run('mkswap', [path]);
  await moveIntoPlace(path, host.path(file));
}

async function leftOvers(host: Host): Promise<string[]> {
  try {
    return (await readdir(host.root)).filter((name) => name.startsWith(`${file}.landfall-new`));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
