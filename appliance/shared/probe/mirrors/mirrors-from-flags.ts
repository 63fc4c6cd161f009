import { rowOfCode } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import {
  type MirrorPresetName,
  mirrorPresetNames,
  mirrorPresets,
} from '#contract/mirror-presets.ts';
import type { Site } from '#contract/site/site.ts';
import { type ProxyChoice, proxyChooser } from '../choose-proxy.ts';
import { systemNetwork } from '../exchange/network.ts';
import { mirrorTargets } from './mirror-targets.ts';
import { mirrorTable, probeMirrors } from './probe-mirrors.ts';

/** Options of `landfall probe mirrors`, on both command lines. */
export interface MirrorFlags {
  readonly preset?: MirrorPresetName;
  readonly proxy?: string;
  readonly json?: boolean;
}

interface MirrorInputs extends Omit<ProxyChoice, 'option'> {
  /** The mirrors of the site. */
  readonly mirrors: Site['mirrors'] | undefined;
  /** PEM of additional certificate authorities. */
  readonly ca?: string | undefined;
}

/**
 * Requests the mirrors of a preset, else those of the site.
 * @throws LandfallError USAGE without a mirror
 */
export async function mirrorsFromFlags(
  flags: MirrorFlags,
  inputs: MirrorInputs,
): Promise<{ text: string; exitCode: number }> {
  const mirrors = flags.preset === undefined ? inputs.mirrors : mirrorPresets[flags.preset].mirrors;
  const targets = mirrors === undefined ? [] : mirrorTargets(mirrors);
  if (targets.length === 0) {
    throw new LandfallError('USAGE', 'there is no mirror to test: the site has none', {
      hint: `Add mirrors to the site, or test a preset: landfall probe mirrors --preset ${mirrorPresetNames[0]}`,
    });
  }
  const proxyFor = await proxyChooser({ ...inputs, option: flags.proxy });
  const reports = await probeMirrors(targets, systemNetwork(inputs.ca), proxyFor);
  const isComplete = reports.every(({ works }) => works);
  return {
    text: flags.json ? JSON.stringify({ mirrors: reports }, null, 2) : mirrorTable(reports),
    exitCode: isComplete ? 0 : rowOfCode('NETWORK_UNREACHABLE').exit,
  };
}
