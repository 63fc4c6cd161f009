import {
  bootFolder,
  bootSettingsFile,
  bootUnitFile,
  siteFile,
  trustedKeysFolder,
  waitingNoteFile,
} from '#contract/server-paths.ts';
import { renderResolved, resolvedFile } from '#contract/site/network/resolved.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { type PublicKey, publicKeyPem, type TrustedKeys } from '#contract/trust/keys.ts';
import type { BootstrapFile } from '../bootstrap-files.ts';
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
    ...bootstrap.map(({ name, content }) =>
      file(name === 'landfall-boot.service' ? bootUnitFile : `${bootFolder}/${name}`, content),
    ),
  ];
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

/**
 * Encodes an object as JSON in printable ASCII, one field per line. DEL and all non-ASCII characters
 * are escaped, because YAML and consoles may change them.
 */
export function asciiJson(fields: object): string {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`.replaceAll(/[^\n -~]/g, escaped);
}

/** Escapes a UTF-16 code unit (RFC 8259, section 7). */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const defaults: Readonly<Record<string, unknown>> = siteSchema
  .omit({ release: true, admin: true })
  .parse({});

/**
 * Returns a site without fields that equal their default, to keep user-data short. The server reads
 * it with the same schema, which restores the defaults.
 */
export function briefSite(site: Site): Partial<Site> {
  const chosen = Object.entries(site).filter(
    ([name, value]) => !(name in defaults && isSameValue(value, defaults[name])),
  );
  return Object.fromEntries(chosen);
}

/** Returns whether two JSON values are equal, regardless of the order of fields. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameValue(one[name], other[name]))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
