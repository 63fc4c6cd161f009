import {
  bootFolder,
  bootSettingsFile,
  bootUnitFile,
  siteFile,
  trustedKeysFolder,
  waitingNoteFile,
} from '#contract/server-paths.ts';
import { renderResolved, resolvedFile } from '#contract/site/network/resolved.ts';
import type { Site } from '#contract/site/site.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import type { BootstrapFile } from '../bootstrap-files.ts';
import { asciiJson } from './ascii-json.ts';
import type { BootSettings } from './boot-settings.ts';
import { briefSite } from './brief-site.ts';

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
  keys: TrustedKeys,
  bootstrap: readonly BootstrapFile[],
): ServerFile[] {
  return [
    { path: `/${bootSettingsFile}`, content: asciiJson(settings), secret: true },
    { path: `/${siteFile}`, content: asciiJson(briefSite(site)), secret: true },
    ...resolverFiles(site),
    ...keyFiles(keys),
    ...bootstrap.map(({ name, content }) => ({ path: pathOf(name), content, secret: false })),
  ];
}

/** Returns the DNS servers of the site for the first download. The stage route writes the same file. */
function resolverFiles({ dns }: Site): ServerFile[] {
  return dns ? [{ path: `/${resolvedFile}`, content: renderResolved(dns), secret: false }] : [];
}

function keyFiles({ release, recovery }: TrustedKeys): ServerFile[] {
  const named = [
    ...release.map((key, index) => ({ key, name: `release-${index + 1}` })),
    ...(recovery ? [{ key: recovery, name: 'recovery' }] : []),
  ];
  return named.map(({ key, name }) => ({
    path: `/${trustedKeysFolder}/${name}.pem`,
    content: publicKeyPem(key),
    secret: false,
  }));
}

function pathOf(name: BootstrapFile['name']): string {
  return `/${name === 'landfall-boot.service' ? bootUnitFile : `${bootFolder}/${name}`}`;
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
