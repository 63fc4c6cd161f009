import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { trustAnchorFile, trustedKeysFolder } from '#contract/server-paths.ts';
import {
  decodeAnchor,
  encodeAnchor,
  firstAnchor,
  type TrustAnchor,
} from '#contract/trust/anchor.ts';
import {
  type PublicKey,
  publicKeyPem,
  readPublicKey,
  trustedKeysOf,
} from '#contract/trust/keys.ts';
import { anchorAfter, anchorOfFirstRelease } from '#contract/trust/rotation.ts';
import type { Signer } from '#contract/trust/trust.ts';
import { readText } from './files.ts';
import type { Host } from './host.ts';
import { install } from './service.ts';

/** Names of the key files in user-data. The bootstrap trusts every file in the folder. */
const keyFile = /^(?:release-[1-8]|recovery)\.pem$/;

/**
 * Returns the trust anchor of this server. A new server takes it from the key files of user-data and
 * writes trust.json; afterwards the key files are derived from trust.json.
 * @param first the release of a first boot, which the user-data pins: its keys replace older ones
 * @throws LandfallError STATE_INVALID, KEY_FORMAT, KEY_KIND
 */
export async function ensureTrustAnchor(host: Host, first?: Release): Promise<TrustAnchor> {
  const text = await readText(host, trustAnchorFile);
  const anchor = text === undefined ? await anchorOfKeyFiles(host, first) : decodeAnchor(text);
  await writeTrustAnchor(host, anchor);
  return anchor;
}

/**
 * Stores the keys of a verified release if the recovery key signed it. The current trust anchor
 * counts, because a rotation may have changed it since the release was verified.
 * @throws LandfallError BUNDLE_KEYS
 */
export async function trustRelease(host: Host, release: Release, signer: Signer): Promise<void> {
  const anchor = await ensureTrustAnchor(host);
  const next = anchorAfter(anchor, release, signer);
  if (next !== anchor) await writeTrustAnchor(host, next);
}

/** Writes trust.json and then the key files. The next call completes an interrupted one. */
export async function writeTrustAnchor(host: Host, anchor: TrustAnchor): Promise<void> {
  const keys = keyFilesOf(anchor);
  const fileOf = (name: string) => ({
    path: `${trustedKeysFolder}/${name}`,
    text: keys.get(name),
  });
  const first = { path: trustAnchorFile, text: encodeAnchor(anchor) };
  await install(host, { files: [first, ...[...keys.keys()].map(fileOf)] });
  // Last: the bootstrap needs a key at any time.
  await install(host, { files: (await host.namesIn(trustedKeysFolder)).map(fileOf) });
}

function keyFilesOf(anchor: TrustAnchor): Map<string, string> {
  const { release, recovery } = trustedKeysOf(anchor);
  const files = release.map(
    (key, index) => [`release-${index + 1}.pem`, publicKeyPem(key)] as const,
  );
  return new Map([
    ...files,
    ...(recovery ? [['recovery.pem', publicKeyPem(recovery)] as const] : []),
  ]);
}

async function anchorOfKeyFiles(host: Host, first: Release | undefined): Promise<TrustAnchor> {
  const names = (await host.namesIn(trustedKeysFolder)).filter((name) => keyFile.test(name));
  const keys = new Map<string, PublicKey>();
  for (const name of names) {
    keys.set(name, readPublicKey((await readText(host, `${trustedKeysFolder}/${name}`)) ?? ''));
  }
  const recovery = keys.get('recovery.pem');
  const release = [...keys].flatMap(([name, key]) => (name === 'recovery.pem' ? [] : [key]));
  if (release.length > 0) {
    const anchor = firstAnchor({ release, recovery });
    return first ? anchorOfFirstRelease(anchor, first) : anchor;
  }
  throw new LandfallError('STATE_INVALID', `/${trustedKeysFolder} contains no release key`, {
    hint: { en: 'Set up the server again from user-data.', zh: '用 user-data 重新部署服务器。' },
  });
}
