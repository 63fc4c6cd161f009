import type { Architecture } from '#contract/bundle/release-name.ts';
import { encodeCanonicalJson } from '#contract/text/json.ts';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import { architectureOf, type Platform } from '../../base/platform.ts';
import type { Appliance } from '../config/appliance.ts';
import { isGguf, type Lock, type LockedModel, type ModelInput } from './lock.ts';

/** Architecture names of npm and of `uname -m`. */
const npmNames: Record<Architecture, string> = { amd64: 'x64', arm64: 'arm64' };
const machineNames: Record<Architecture, string> = { amd64: 'x86_64', arm64: 'aarch64' };

/** The fields of an appliance that its lock depends on. */
export interface LockInputs {
  readonly platforms: readonly Platform[];
  /** Image by component. */
  readonly images: Readonly<Record<string, string>>;
  /** URLs by file and platform. */
  readonly files: Readonly<Record<string, Partial<Record<Platform, readonly string[]>>>>;
  /** Source of the GGUF file by model name; empty for a registry model. */
  readonly models: Readonly<Record<string, ModelInput>>;
}

/** Names of the outside files in the lock. */
export const nodeFile = 'node';
export const composePluginFile = 'compose-plugin';
export const singBoxFile = 'sing-box';

/** Returns the lock inputs of an appliance, in a fixed order. */
export function lockInputs(appliance: Appliance): LockInputs {
  const platforms = [...appliance.platforms].sort();
  const images = Object.entries(appliance.components)
    .map(([name, { image }]) => [name, image] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const { node, compose_plugin: plugin } = appliance;
  const client = appliance.clients?.['sing-box'];
  return {
    platforms,
    images: Object.fromEntries(images),
    files: {
      [composePluginFile]: byPlatform(platforms, (arch) => urlsOf(plugin, arch)),
      [nodeFile]: byPlatform(platforms, (arch) => [
        `npm:node-linux-${npmNames[arch]}@${node.version}`,
      ]),
      ...(client && { [singBoxFile]: byPlatform(platforms, (arch) => urlsOf(client, arch)) }),
    },
    models: Object.fromEntries(
      appliance.models
        .map(({ name, gguf, sha256 }): [string, ModelInput] => [name, { gguf, sha256 }])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** Returns the checksum of the inputs, which a lock records. */
export function inputsChecksum(inputs: LockInputs): Digest {
  return digestOf(encodeCanonicalJson(inputs));
}

/** Returns the differences between an appliance and its lock; empty if the lock is current. */
export function driftOf(inputs: LockInputs, lock: Lock): string[] {
  const images = { ...inputs.images };
  const drift: string[] = [];
  for (const [name, { image }] of Object.entries(lock.images)) {
    if (images[name] === undefined) drift.push(`${name} is locked, but not in the appliance`);
    else if (images[name] !== image)
      drift.push(`${name} is ${images[name]}, but locked as ${image}`);
  }
  for (const name of Object.keys(images)) {
    if (!lock.images[name]) drift.push(`${name} is not locked`);
  }
  for (const name of Object.keys(lock.files)) {
    if (!inputs.files[name]) drift.push(`${name} is locked, but not in the appliance`);
  }
  for (const platform of inputs.platforms) {
    for (const [name, image] of Object.entries(lock.images)) {
      if (!image.platforms[platform]) drift.push(`${name} is not locked for ${platform}`);
    }
  }
  for (const [name, urls] of Object.entries(inputs.files)) {
    const isOld = (platform: Platform) =>
      lock.files[name]?.[platform]?.urls.join(' ') !== urls[platform]?.join(' ');
    const old = inputs.platforms.filter(isOld);
    if (old.length === 0) continue;
    const some = old.length === inputs.platforms.length ? '' : ` for ${old.join(', ')}`;
    drift.push(`${name}${some} is not locked for its current URLs`);
  }
  drift.push(...driftOfModels(inputs.models, lock));
  if (drift.length === 0 && lock.inputs !== inputsChecksum(inputs)) {
    drift.push('the lock was created from another configuration');
  }
  return drift;
}

/** Returns the download URLs of a program for one architecture. */
function urlsOf(
  { version, urls }: { readonly version: string; readonly urls: readonly string[] },
  arch: Architecture,
): string[] {
  return urls.map((url) =>
    url
      .replaceAll('{version}', version)
      .replaceAll('{machine}', machineNames[arch])
      .replaceAll('{arch}', arch),
  );
}

function byPlatform<T>(
  platforms: readonly Platform[],
  value: (arch: Architecture) => T,
): Partial<Record<Platform, T>> {
  return Object.fromEntries(
    platforms.map((platform) => [platform, value(architectureOf(platform))]),
  );
}

/** Returns the differences between the models of an appliance and of its lock. */
export function driftOfModels(
  images: Readonly<Record<string, ModelInput>>,
  { models: locked }: Pick<Lock, 'models'>,
): string[] {
  const surplus = Object.keys(locked)
    .filter((name) => !images[name])
    .map((name) => `${name} is locked, but not in the appliance`);
  const others = Object.entries(images).flatMap(([name, input]) => {
    const entry = locked[name];
    if (!entry) return [`${name} is not locked`];
    return isLockOf(entry, input) ? [] : [`${name} is locked from another source`];
  });
  return [...surplus, ...others];
}

/** Returns whether a lock entry has the source and the checksum of the appliance. */
export function isLockOf(locked: LockedModel, { gguf, sha256 }: ModelInput): boolean {
  if (!isGguf(locked)) return gguf === undefined;
  return locked.gguf === gguf && (sha256 === undefined || locked.sha256 === sha256);
}
