import { digestOf } from '#contract/trust/digest.ts';
import type { Appliance } from '../../../../builder/inputs/config/appliance.ts';
import { inputsChecksum, lockInputs } from '../../../../builder/inputs/lock/inputs.ts';
import type { Lock } from '../../../../builder/inputs/lock/lock.ts';

/** Returns an appliance with two components and the given fields. */
export function someAppliance(changes: Partial<Appliance>): Appliance {
  return {
    name: 'landfall',
    version: '1.0.0',
    platforms: ['linux/amd64', 'linux/arm64'],
    components: {
      engine: { image: 'ollama/ollama:1', optional: false },
      ui: { image: 'ghcr.io/open-webui/open-webui:main', optional: false },
    },
    models: [],
    node: { version: '24.22.3' },
    compose_plugin: { version: '2.40.3', urls: ['https://x.example/{version}/compose-{machine}'] },
    compose: '/nowhere',
    data_epoch: 1,
    validity_days: 365,
    ...changes,
  };
}

/** Returns a complete lock of an appliance. Every digest is unique. */
export function lockFor(appliance: Appliance): Lock {
  const inputs = lockInputs(appliance);
  const perPlatform = <T>(make: (platform: string) => T) =>
    Object.fromEntries(inputs.platforms.map((platform) => [platform, make(platform)]));
  return {
    version: 1,
    inputs: inputsChecksum(inputs),
    created: '2026-01-02T03:04:05Z',
    images: Object.fromEntries(
      Object.entries(inputs.images).map(([name, image]) => [
        name,
        {
          image,
          index: digestOf(`${name} index`),
          platforms: perPlatform((platform) => ({
            manifest: digestOf(`${name} ${platform} manifest`),
            config: digestOf(`${name} ${platform} config`),
            size: 1000,
          })),
        },
      ]),
    ),
    files: Object.fromEntries(
      Object.entries(inputs.files).map(([name, places]) => [
        name,
        perPlatform((platform) => ({
          urls: [...(places[platform as 'linux/amd64'] ?? [])],
          size: 10,
          sha256: digestOf(`${name} ${platform}`).slice(7),
        })),
      ]),
    ),
    models: Object.fromEntries(
      Object.entries(inputs.models).map(([name, { gguf, sha256 }]) => [
        name,
        gguf === undefined
          ? { manifest: digestOf(name), size: 100 }
          : { gguf, sha256: sha256 ?? digestOf(name).slice(7), size: 100 },
      ]),
    ),
  };
}
