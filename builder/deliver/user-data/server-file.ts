import {
  bootFolder,
  bootSettingsFile,
  bootUnitFile,
  siteFile,
  trustedKeysFolder,
  waitingNoteFile,
} from '#contract/server-paths.ts';
import { asciiJson, briefSite } from '#contract/site/brief-site.ts';
import { renderResolved, resolvedFile } from '#contract/site/network/dns.ts';
import type { Site } from '#contract/site/site.ts';
import { type PublicKey, publicKeyPem, type TrustedKeys } from '#contract/trust/keys.ts';
import type { BootstrapFile } from '../../bundle/bootstrap-files.ts';
import type { BootSettings } from './boot-settings.ts';

/** A file that user-data writes on a server. */
export interface ServerFile {
  /** Absolute. */
  readonly path: string;
  /** ASCII, ending with a line break. */
  readonly content: string;
  /** Whether only root may read it. */
  readonly secret: boolean;
}

/** Returns the files of user-data, settings first, because users review those. */
export function serverFiles(
  settings: BootSettings,
  site: Site,
  { release, recovery }: TrustedKeys,
  bootstrap: readonly BootstrapFile[],
): ServerFile[] {
  const file = (path: string, content: string, secret = false) => ({
    path: `/${path}`,
    content,
    secret,
  });
  const keyFile = (name: string, key: PublicKey) =>
    file(`${trustedKeysFolder}/${name}.pem`, publicKeyPem(key));
  return [
    file(bootSettingsFile, asciiJson(settings), true),
    file(siteFile, asciiJson(briefSite(site)), true),
    // For the first download. The stage route writes the same file.
    ...(site.dns ? [file(resolvedFile, renderResolved(site.dns))] : []),
    ...release.map((key, index) => keyFile(`release-${index + 1}`, key)),
    ...(recovery ? [keyFile('recovery', recovery)] : []),
    ...bootstrap.map(({ name, content }) => file(pathOfScript(name), content)),
  ];
}

/** Returns the path of a bootstrap file on a server, relative to its root. */
export function pathOfScript(name: BootstrapFile['name']): string {
  return name === 'landfall-boot.service' ? bootUnitFile : `${bootFolder}/${name}`;
}

/**
 * Returns the note that the console of a waiting server shows above its login prompt. agetty(8)
 * replaces `\4` with the address of the server.
 */
export function waitingNote({ product, version }: BootSettings): ServerFile {
  return {
    path: `/${waitingNoteFile}`,
    content: [
      `This server waits for the bundle of ${product} ${version}. On your computer, run:`,
      '  landfall push <user>@\\4 --release <bundle>',
      "The user is that of the provider's image: root, debian or ubuntu.",
      '',
      '',
    ].join('\n'),
    secret: false,
  };
}
