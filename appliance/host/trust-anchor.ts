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
import { readText } from './files.ts';
import type { Host } from './host.ts';
import { install } from './service.ts';

/** Names of the key files in user-data. The bootstrap trusts every file in the folder. */
const keyFile = /^(?:release-[1-8]|recovery)\.pem$/;

/**
 * Returns the trust anchor of this server. A new server takes it from the key files of user-data and
 * writes trust.json; afterwards the key files are derived from trust.json.
 * @throws LandfallError STATE_INVALID, KEY_FORMAT, KEY_KIND
 */
export async function ensureTrustAnchor(host: Host): Promise<TrustAnchor> {
  const text = await readText(host, trustAnchorFile);
  const anchor = text === undefined ? await anchorOfKeyFiles(host) : decodeAnchor(text);
  await writeTrustAnchor(host, anchor);
  return anchor;
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

async function anchorOfKeyFiles(host: Host): Promise<TrustAnchor> {
  const names = (await host.namesIn(trustedKeysFolder)).filter((name) => keyFile.test(name));
  const keys = new Map<string, PublicKey>();
  for (const name of names) {
    keys.set(name, readPublicKey((await readText(host, `${trustedKeysFolder}/${name}`)) ?? ''));
  }
  const recovery = keys.get('recovery.pem');
  const release = [...keys].flatMap(([name, key]) => (name === 'recovery.pem' ? [] : [key]));
  if (release.length > 0) return firstAnchor({ release, recovery });
  throw new LandfallError('STATE_INVALID', `/${trustedKeysFolder} contains no release key`, {
    hint: 'Set up the server again from user-data.',
  });
}
