import { findAccelerator } from './accelerator.ts';
import { findDebianMirror } from './debian-mirror.ts';
import { Findings } from './findings.ts';
import { provideQemu } from './qemu.ts';
import type { Say } from './say.ts';
import { provideTrueHostImage, type TrueHostImageOptions } from './true-host-image.ts';
import { Unmet } from './unmet.ts';
import { cacheFolder } from './workspace.ts';

/**
 * Prepares what the tests with a virtual machine need besides what `prepare` gives, and gives the
 * environment variables that tell of it.
 */
export async function prepareTrueHost(
  options: TrueHostImageOptions,
  say: Say,
): Promise<Record<string, string>> {
  const cache = cacheFolder();
  const findings = new Findings(say);
  const qemu = await findings.provide('qemu', () => provideQemu(cache, findDebianMirror, say));
  const image = await findings.provide('trueHost', () => {
    if (!qemu) throw new Unmet('there is no qemu');
    return provideTrueHostImage(qemu, options, cache, findDebianMirror, say);
  });
  await findings.provide('accelerator', () => {
    if (!qemu || !image) throw new Unmet('there is no qemu, or no server to boot in it');
    return findAccelerator(qemu, image, cache);
  });
  return findings.variables();
}
