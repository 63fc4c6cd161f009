import { LandfallError } from '#contract/errors.ts';
import { siteCertificates } from '#contract/site/certificates/ca.ts';
import type { Site } from '#contract/site/site.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import type { BootstrapFile } from '../bootstrap-files.ts';
import { bootSettings } from './boot-settings.ts';
import { checkBudget } from './budget.ts';
import { cloudConfig } from './cloud-config.ts';
import { hasRoutePassword, openingComment } from './comment.ts';
import { compareBootstrap, embeddedBootstrap } from './embedded-bootstrap.ts';
import { pack } from './format.ts';
import type { Format } from './formats.ts';
import type { PinnedRelease } from './pinned-release.ts';
import { findProvider, type Provider } from './providers.ts';
import { serverFiles, waitingNote } from './server-file.ts';

export interface UserDataInputs {
  readonly site: Site;
  /** One release, for one architecture or for both. */
  readonly releases: readonly PinnedRelease[];
  /** Keys that the server trusts. */
  readonly keys: TrustedKeys;
  /** Short name of the provider. Default: the smallest limit of all providers applies. */
  readonly provider?: string | undefined;
  /** Default: cloud-config. */
  readonly format?: Format | undefined;
}

export interface RenderedUserData {
  readonly bytes: Uint8Array;
  /** Bytes. */
  readonly size: number;
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
  const { site, releases, keys, format = 'cloud-config' } = inputs;
  const provider = inputs.provider === undefined ? undefined : findProvider(inputs.provider);
  if (provider) assertSupported(format, provider);
  const settings = bootSettings(site, releases);
  const bootstrap = embeddedBootstrap(settings);
  const notCompared = compareBootstrap(bootstrap, releases);
  const isPushed = site.release === 'push';
  const files = [
    ...serverFiles(settings, site, keys, bootstrap),
    ...(isPushed ? [waitingNote(settings)] : []),
  ];
  const text = cloudConfig({
    comment: openingComment(settings, site, keys, bootstrap),
    files,
    certificates: siteCertificates(site),
    // cloud-init starts systemd-resolved before it writes files. Some images have no such service.
    commands: site.dns ? ['systemctl try-restart systemd-resolved'] : [],
    waitingFor: isPushed ? site.admin.ssh_keys : [],
  });
  const bytes = pack(text, format);
  const warnings = [
    ...checkBudget(bytes.length, files, provider),
    ...notCompared,
    ...(hasRoutePassword(site) ? [passwordWarning] : []),
    ...(provider?.note ? [`${provider.name}: ${provider.note}`] : []),
  ];
  return { bytes, size: bytes.length, bootstrap, warnings };
}

const passwordWarning =
  'the user-data contains the proxy password, which the provider and every process on the server can read';

function assertSupported(format: Format, provider: Provider): void {
  if (provider.formats.includes(format)) return;
  throw new LandfallError(
    'USER_DATA_PROVIDER',
    `${provider.name} does not support the format ${format}`,
    {
      hint: `Choose from: ${provider.formats.join(', ')}.`,
    },
  );
}
