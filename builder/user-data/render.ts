import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import type { BootstrapFile } from '../bootstrap-files.ts';
import { bootSettings } from './boot-settings.ts';
import { checkBudget } from './budget.ts';
import { cloudConfig } from './cloud-config.ts';
import { hasRoutePassword, openingComment } from './comment.ts';
import { compareBootstrap, embeddedBootstrap } from './embedded-bootstrap.ts';
import { type Format, pack } from './format.ts';
import type { PinnedRelease } from './pinned-release.ts';
import { findProvider, type Provider } from './providers.ts';
import { serverFiles } from './server-file.ts';

export interface UserDataInputs {
  readonly site: Site;
  /** One release, for one architecture or for both. */
  readonly releases: readonly PinnedRelease[];
  /** Whose signature the server takes. */
  readonly keys: TrustedKeys;
  /** Short name of the provider that must take it; absent: the smallest limit of all is kept. */
  readonly provider?: string | undefined;
  /** Default: cloud-config. */
  readonly format?: Format | undefined;
}

export interface RenderedUserData {
  readonly bytes: Uint8Array;
  /** Bytes. */
  readonly size: number;
  /** The files of the bootstrap that it carries. */
  readonly bootstrap: readonly BootstrapFile[];
  /** What a person should know before pasting. */
  readonly warnings: readonly string[];
}

/**
 * Renders what people paste: one site, one release, and a bootstrap to bring them together. The
 * same inputs give the same bytes.
 * @throws LandfallError USER_DATA_TOO_LARGE, USER_DATA_MISMATCH, USER_DATA_PROVIDER, CONFIG_INVALID
 */
export function renderUserData(inputs: UserDataInputs): RenderedUserData {
  const { site, releases, keys, format = 'cloud-config' } = inputs;
  const provider = inputs.provider === undefined ? undefined : findProvider(inputs.provider);
  if (provider) assertTaken(format, provider);
  const settings = bootSettings(site, releases);
  const bootstrap = embeddedBootstrap(settings);
  const unnamed = compareBootstrap(bootstrap, releases);
  const files = serverFiles(settings, site, keys, bootstrap);
  const text = cloudConfig(openingComment(settings, site, keys, bootstrap), files);
  const bytes = pack(text, format);
  const warnings = [
    ...checkBudget(bytes.length, files, provider),
    ...unnamed,
    ...(hasRoutePassword(site) ? [passwordWarning] : []),
    ...(provider?.note ? [`${provider.name}: ${provider.note}`] : []),
  ];
  return { bytes, size: bytes.length, bootstrap, warnings };
}

const passwordWarning =
  "it carries the proxy's password, which the provider and every process on the server can read";

function assertTaken(format: Format, provider: Provider): void {
  if (provider.formats.includes(format)) return;
  throw new LandfallError('USER_DATA_PROVIDER', `${provider.name} does not take ${format}`, {
    hint: `It takes ${provider.formats.join(' and ')}.`,
  });
}
