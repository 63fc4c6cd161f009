import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { concatBytes, encodeUtf8 } from '#contract/text/bytes.ts';
import { inLanguage } from '#contract/text/language.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { gzip } from '#platform/gzip.ts';
import type { BootstrapFile } from '../../bundle/bootstrap-files.ts';
import type { PinnedRelease } from '../../bundle/released/pinned-release.ts';
import { bootSettings, compareBootstrap, embeddedBootstrap } from './boot-settings.ts';
import { cloudConfig } from './cloud-config.ts';
import { hasRoutePassword, userDataContent } from './content.ts';
import {
  defaultFormat,
  type Format,
  findProvider,
  type Provider,
  providers,
  smallestLimit,
} from './providers.ts';
import type { ServerFile } from './server-file.ts';
import { shellScript } from './shell-script.ts';

export interface UserDataInputs {
  readonly site: Site;
  /** One release, for one architecture or for both. */
  readonly releases: readonly PinnedRelease[];
  /** Keys that the server trusts. */
  readonly keys: TrustedKeys;
  /** Short name of the provider. Default: the smallest limit of all providers applies. */
  readonly provider?: string | undefined;
  /** Default: the first one that the provider supports, such as cloud-config. */
  readonly format?: Format | undefined;
}

export interface RenderedUserData {
  readonly bytes: Uint8Array;
  readonly format: Format;
  /** The embedded bootstrap files. */
  readonly bootstrap: readonly BootstrapFile[];
  /** Warnings to show before the user pastes. */
  readonly warnings: readonly string[];
}

/**
 * Renders user-data: the site, the pinned release and the bootstrap. The output is reproducible.
 * @throws LandfallError USER_DATA_TOO_LARGE, USER_DATA_MISMATCH, USER_DATA_PROVIDER, CONFIG_INVALID
 */
export function renderUserData(inputs: UserDataInputs): RenderedUserData {
  const { site, releases, keys } = inputs;
  const provider = inputs.provider === undefined ? undefined : findProvider(inputs.provider);
  const format = inputs.format ?? defaultFormat(provider);
  if (provider) assertSupported(format, provider);
  const settings = bootSettings(site, releases);
  const bootstrap = embeddedBootstrap(settings);
  const notCompared = compareBootstrap(bootstrap, releases);
  const content = userDataContent({ settings, site, keys, bootstrap, format });
  const bytes =
    format === 'shell' ? encodeUtf8(shellScript(content)) : pack(cloudConfig(content), format);
  const warnings = [
    ...checkSize(bytes.length, content.files, provider, format),
    ...notCompared,
    ...(hasRoutePassword(site) ? [inLanguage(passwordWarning)] : []),
    ...(provider?.note ? [`${provider.name}: ${provider.note}`] : []),
  ];
  return { bytes, format, bootstrap, warnings };
}

const passwordWarning = {
  en: 'the user-data contains the proxy password, which the provider and every process on the server can read',
  zh: 'user-data 含有代理的密码，云服务商和服务器上的每个进程都能读到',
};

function assertSupported(format: Format, provider: Provider): void {
  if (provider.limits[format] !== undefined) return;
  const message = `${provider.name} does not support the format ${format}`;
  throw new LandfallError('USER_DATA_PROVIDER', message, {
    hint: {
      en: `Choose from: ${Object.keys(provider.limits).join(', ')}.`,
      zh: `可选：${Object.keys(provider.limits).join('、')}。`,
    },
  });
}

/**
 * Checks that user-data is within the limits. User-data must fit every provider, and a script the given one: a
 * web terminal has no limit.
 * @param size size of the user-data in bytes
 * @param files files in the user-data, to list the largest ones in the error
 * @returns warnings
 * @throws LandfallError USER_DATA_TOO_LARGE
 */
export function checkSize(
  size: number,
  files: readonly ServerFile[],
  provider?: Provider,
  format: Format = 'cloud-config',
): string[] {
  if (format === 'shell' && provider === undefined) return warnOfLimits(size, format);
  const common = smallestLimit(format);
  const own = provider?.limits[format] ?? common;
  const limit = format === 'shell' ? own : Math.min(own, common);
  if (size <= limit) return [];
  const limitedBy = provider && own === limit ? provider.name : 'some providers';
  const message = `the user-data is too large: ${size} bytes, ${size - limit} more than the limit of ${limitedBy}`;
  const instead =
    format === 'shell'
      ? 'paste the script into a web terminal'
      : 'use --format gzip if the provider accepts it';
  throw new LandfallError('USER_DATA_TOO_LARGE', message, {
    hint: `Shorten the site, for example with ed25519 instead of RSA keys, or ${instead}.`,
    problems: files
      .toSorted((one, other) => other.content.length - one.content.length)
      .map(({ path, content }) => ({ message: `${path}: ${content.length} bytes` })),
  });
}

/** Returns a warning that names the providers whose limit is smaller than the size. */
function warnOfLimits(size: number, format: Format): string[] {
  const smaller = Object.values(providers).filter(
    ({ limits }) => size > (limits[format] ?? Number.POSITIVE_INFINITY),
  );
  if (smaller.length === 0) return [];
  const names = smaller.map(({ name, limits }) => `${name} (${limits[format]})`).join(', ');
  return [`the script has ${size} bytes, which these providers do not accept: ${names}`];
}

/**
 * Encodes a cloud-config in a format. The output is reproducible.
 * @throws LandfallError USAGE for gzip in a web page
 */
export function pack(text: string, format: Exclude<Format, 'shell'>): Uint8Array {
  const bytes = encodeUtf8(text);
  if (format === 'multipart') return multipart(bytes);
  return format === 'gzip' ? compressed(bytes) : bytes;
}

/**
 * Encodes a MIME message with one text/cloud-config part (RFC 2046, section 5.1), so that users can
 * add their own parts. The boundary is a hash of the content, so it cannot occur in it. Lines end with
 * LF, because cloud-init does not convert line breaks.
 */
function multipart(content: Uint8Array): Uint8Array {
  const boundary = `landfall-${sha256Hex(content).slice(0, 32)}`;
  return concatBytes(
    encodeUtf8(
      [
        `Content-Type: multipart/mixed; boundary="${boundary}"`,
        'MIME-Version: 1.0',
        '',
        `--${boundary}`,
        'Content-Type: text/cloud-config; charset="us-ascii"',
        'MIME-Version: 1.0',
        'Content-Transfer-Encoding: 7bit',
        'Content-Disposition: attachment; filename="landfall.yaml"',
        '',
        '',
      ].join('\n'),
    ),
    content,
    encodeUtf8(`\n--${boundary}--\n`),
  );
}

function compressed(content: Uint8Array): Uint8Array {
  if (gzip) return gzip(content);
  throw new LandfallError('USAGE', 'gzip is not available in a web page', {
    hint: 'Choose cloud-config or multipart, or run `landfall user-data`.',
  });
}
