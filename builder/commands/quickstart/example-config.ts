import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { makeFolder } from '../../base/files/folder.ts';
import { generateKey } from '../../bundle/sign/generate-key.ts';
import { keyFolder } from '../../bundle/sign/key-folder.ts';
import { writeKeyPair } from '../../bundle/sign/key-pair-files.ts';
import { readSigningKey, type SigningKey } from '../../bundle/sign/private-key.ts';
import { readAppliance } from '../../inputs/config/appliance.ts';
import { inputsChecksum, lockInputs } from '../../inputs/lock/inputs.ts';
import { type LockedImage, unresolved } from '../../inputs/lock/lock.ts';
import { lockPathFor, readLock, writeLock } from '../../inputs/lock/lock-file.ts';

interface ExampleConfig {
  /** Path of the appliance to build. */
  readonly config: string;
  /** How the example differs from the reference, for the user. */
  readonly notes: readonly string[];
}

/**
 * Returns the appliance of the quickstart, which needs a digest of every required image. It is the
 * reference, or a copy in `folder` with older images where the reference lock has no digest yet.
 * @throws LandfallError CONFIG_…, LOCK_INVALID, FILE_ACCESS, DISK_FULL
 */
export async function exampleConfig(
  reference: string,
  folder: string,
  images: Readonly<Record<string, LockedImage>> = exampleImages,
): Promise<ExampleConfig> {
  const lock = await readLock(lockPathFor(reference));
  const replaced = Object.entries(images).filter(
    ([name]) => lock?.images[name]?.index === unresolved,
  );
  if (!lock || replaced.length === 0) return { config: reference, notes: [] };

  await makeFolder(folder);
  const config = join(folder, 'appliance.yaml');
  const document = parseDocument(await readFile(reference, 'utf8'));
  for (const [name, { image }] of replaced) document.setIn(['components', name, 'image'], image);
  await writeFile(config, document.toString({ lineWidth: 0 }));
  const inputs = inputsChecksum(lockInputs(await readAppliance(config)));
  const imagesOfExample = { ...lock.images, ...Object.fromEntries(replaced) };
  await writeLock(lockPathFor(config), { ...lock, inputs, images: imagesOfExample });
  return {
    config,
    notes: replaced.map(
      ([name, { image }]) =>
        `${name}: the example names ${image}; a release gets ${lock.images[name]?.image}, after \`landfall lock\``,
    ),
  };
}

const unknown = { manifest: unresolved, config: unresolved, size: unresolved } as const;

/**
 * Images of the example release, by component, for those whose digest the reference lock does not
 * have. Their digests are published in public repositories. A release never contains them.
 */
const exampleImages: Readonly<Record<string, LockedImage>> = {
  acme: {
    image: 'goacme/lego:v5.5.2',
    index: 'sha256:1944e8c36055beec47c7de6f15202b41128be75eea0ffa257f0c14d93c5155fd',
    platforms: { 'linux/amd64': unknown, 'linux/arm64': unknown },
  },
  gateway: {
    image: 'nginx:1.30.5-alpine',
    index: 'sha256:0985e772fb9f729e6fa0980da05fca5d9c468e870eed43071545afa9d2e27d94',
    platforms: {
      'linux/amd64': {
        manifest: 'sha256:8f84ed99befc3891b8f329c5c202785278a2cfb7c25107d57fb2a134a3117433',
        config: 'sha256:43d9d8c1f8968f09df8c1aa6c136ecc617e62d64fe4c0b24c97de4eb210bd973',
        size: unresolved,
      },
      'linux/arm64': {
        manifest: 'sha256:3abad30db61dfb2a339ea21acc9f3e6bbe78e291fcff2f835f4510c8fdfcbd83',
        config: 'sha256:a805dc02b9a7ee985b411db35996123b9bb3df80e79a9ab5b194751d3087defe',
        size: unresolved,
      },
    },
  },
  ui: {
    image: 'ghcr.io/open-webui/open-webui:v0.11.4',
    index: 'sha256:9591b13f13843c7721c2b8eaf7382846c81b3ffe126526d1888d1fed50c6a33f',
    platforms: {
      'linux/amd64': {
        ...unknown,
        manifest: 'sha256:332438e079ad23bb11b0ab278b43e7c98b50e8cec14b0840281644e8a289f49f',
      },
      'linux/arm64': unknown,
    },
  },
};

/** Returns the key of the quickstart, which the first run generates. */
export async function quickstartKey(env: NodeJS.ProcessEnv): Promise<SigningKey> {
  const base = join(keyFolder(env), 'quickstart');
  const exists = await access(`${base}.key`).then(
    () => true,
    () => false,
  );
  if (!exists) await writeKeyPair(base, generateKey(undefined), env);
  return readSigningKey(`${base}.key`, { env: {}, stdin: process.stdin });
}
