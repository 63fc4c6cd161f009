import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Lock } from '../inputs/lock/lock.ts';
import type { CommandContext } from './context.ts';
import { withBuildContext, withNetworkOptions } from './network.ts';

const example = {
  en: `
Example:
  landfall lock                    resolve new, changed and unresolved entries
  landfall lock --update           resolve everything again, for the next release
  landfall lock --update ui        resolve the tag of ui again
  landfall lock --check            in CI: fail if the lock file is outdated
`,
  zh: `
示例：
  landfall lock                    查询新增、变化和未确定的内容
  landfall lock --update           全部重新查询，用于下一个版本
  landfall lock --update ui        重新查询 ui 的标签
  landfall lock --check            用于 CI：锁文件过期时报错
`,
};

/** `landfall lock`: writes the digests and sizes of images, files and models to the lock file. */
export function lockCommand(context: CommandContext) {
  return definition().action((flags) => lock(context, flags));
}

const definition = () =>
  withNetworkOptions(
    new Command('lock')
      .description('pin images, files and models by digest in appliance.lock.yaml')
      .option('--config <file>', 'path of the appliance', 'appliance.yaml')
      .option('--check', 'change nothing; fail if the lock file does not match the appliance')
      .option('--update [name]', 'resolve this component, file or model again (default: all)')
      .addHelpText('after', inLanguage(example)),
  );

type LockFlags = OptionsOf<typeof definition>;

/**
 * Resolves the lock file and writes it, or compares it with the appliance.
 * @throws LandfallError LOCK_MISSING, LOCK_DRIFT, USAGE, and those of sources
 */
async function lock(context: CommandContext, flags: LockFlags): Promise<void> {
  const { readAppliance } = await import('../inputs/config/appliance.ts');
  const { checkedLock, updateLock } = await import('../inputs/lock/ensure-lock.ts');
  const { lockInputs } = await import('../inputs/lock/inputs.ts');
  const { lockPathFor } = await import('../inputs/lock/lock-file.ts');
  const config = resolve(context.cwd, flags.config);
  const path = lockPathFor(config);
  const inputs = lockInputs(await readAppliance(config));
  if (flags.check) {
    return await print(context, flags, {
      path,
      lock: await checkedLock(path, inputs),
      changed: false,
    });
  }
  const known = [inputs.images, inputs.files, inputs.models].flatMap(Object.keys);
  const update = namesToUpdate(flags, known);
  await withBuildContext(context, flags, async (buildContext, reporter) => {
    const updated = await updateLock(path, inputs, update, buildContext.lockSources(config));
    reporter.close();
    await print(context, flags, { path, ...updated });
  });
}

function namesToUpdate({ update }: LockFlags, known: readonly string[]): Set<string> {
  if (update === undefined) return new Set();
  if (update === true) return new Set(known);
  if (known.includes(update)) return new Set([update]);
  throw new LandfallError('USAGE', `--update ${update}: no such component, file or model`, {
    hint: `Choose from: ${known.join(', ')}.`,
  });
}

interface LockResult {
  readonly path: string;
  readonly lock: Lock;
  /** Whether the file was written. */
  readonly changed: boolean;
}

async function print(
  { stdout }: CommandContext,
  { json, quiet }: LockFlags,
  { path, lock, changed }: LockResult,
): Promise<void> {
  const { freeDisk } = await import('../base/files/folder.ts');
  const { bundleSizes, describeBundleSizes, lockedPlatforms } = await import(
    '../inputs/lock/bundle-sizes.ts'
  );
  const { unresolvedIn } = await import('../inputs/lock/lock.ts');
  const sizes = bundleSizes(lock, { platforms: lockedPlatforms(lock) });
  const unresolved = unresolvedIn(lock);
  const { images, models } = lock;
  if (json) {
    stdout.write(`${JSON.stringify({ path, changed, unresolved, sizes, images, models })}\n`);
    return;
  }
  if (quiet) return;
  const [imageCount, modelCount] = [images, models].map((each) => Object.keys(each).length);
  const counted = {
    en: `${imageCount} images, ${modelCount} model${modelCount === 1 ? '' : 's'}`,
    zh: `${imageCount} 个镜像，${modelCount} 个模型`,
  };
  const result = {
    en: `${path} ${changed ? 'written' : 'is up to date'}: ${counted.en}`,
    zh: `${path} ${changed ? '已写入' : '已是最新'}：${counted.zh}`,
  };
  stdout.write(`${inLanguage(result)}\n`);
  for (const line of unresolved) {
    stdout.write(`  ${inLanguage({ en: `unresolved: ${line}`, zh: `未确定：${line}` })}\n`);
  }
  const free = await freeDisk(dirname(path));
  for (const line of describeBundleSizes(sizes, free)) stdout.write(`  ${line}\n`);
}
