import { decodeUtf8, encodeUtf8 } from '#contract/text/bytes.ts';
import type { PinnedRelease } from '../../../../builder/bundle/released/pinned-release.ts';
import {
  type Explanation,
  explainPaste,
} from '../../../../builder/deliver/explain/explain-paste.ts';
import {
  renderUserData,
  type UserDataInputs,
} from '../../../../builder/deliver/user-data/render.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { bothArchitectures, inputsWith, sourceUrl } from '../user-data/rendered.ts';

/** A site with a field of each kind that tests change. */
export const site = siteWith({
  release: [sourceUrl],
  hosts: { ui: 'chat.example.com' },
  route: { mode: 'http-proxy', url: 'http://10.0.0.2:7890', no_proxy: ['10.0.0.0/8'] },
});

/** Returns user-data as Landfall writes it. vSphere has the largest limit. */
export function honest(changes: Partial<UserDataInputs> = {}): Uint8Array {
  const provider = changes.format === 'gzip' ? 'gcp' : 'vsphere';
  const limits = changes.format === 'shell' ? {} : { provider };
  return renderUserData(inputsWith({ site, ...limits, ...changes })).bytes;
}

export function honestText(changes: Partial<UserDataInputs> = {}): string {
  return decodeUtf8(honest(changes));
}

/** Explains user-data, with the release by default. */
export function explained(
  paste: Uint8Array | string,
  releases: readonly PinnedRelease[] = bothArchitectures,
): Explanation {
  const bytes = typeof paste === 'string' ? encodeUtf8(paste) : paste;
  return explainPaste(bytes, { file: 'user-data.yaml', releases });
}

/** Returns the findings as lines: kind, subject and text. */
export function findingsOf(
  paste: Uint8Array | string,
  releases?: readonly PinnedRelease[],
): string[] {
  return explained(paste, releases).findings.map(
    ({ kind, subject, text }) => `${kind} ${subject}: ${text.en}`,
  );
}
