import { parse } from 'yaml';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import type { PinnedRelease } from '../../../../builder/bundle/released/pinned-release.ts';
import {
  renderUserData,
  type UserDataInputs,
} from '../../../../builder/deliver/user-data/render.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { recoveryKey, releaseKey, secondKey } from '../../../simulator/keys.ts';

const release = makeRelease(tinyFiles);

/** One release for both architectures. */
export const bothArchitectures: readonly PinnedRelease[] = [
  { release, manifestSha256: 'a'.repeat(64) },
  { release: { ...release, arch: 'arm64' }, manifestSha256: 'b'.repeat(64) },
];

export const sourceUrl = 'https://downloads.example.com/landfall/';

/** Returns valid inputs with the changes of a test. */
export function inputsWith(changes: Partial<UserDataInputs> = {}): UserDataInputs {
  return {
    site: siteWith({ release: [sourceUrl] }),
    releases: bothArchitectures,
    keys: { release: [releaseKey.public, secondKey.public], recovery: recoveryKey.public },
    ...changes,
  };
}

/** User-data as cloud-init sees it. */
export interface CloudConfig {
  readonly text: string;
  /** Content by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly permissions: ReadonlyMap<string, string | undefined>;
  readonly config: Record<string, unknown>;
}

export function rendered(changes: Partial<UserDataInputs> = {}): CloudConfig {
  const text = decodeUtf8(renderUserData(inputsWith(changes)).bytes);
  const { write_files: files, ...config } = parse(text);
  return {
    text,
    files: new Map(files.map(({ path, content }: Record<string, string>) => [path, content])),
    permissions: new Map(
      files.map(({ path, permissions }: Record<string, string>) => [path, permissions]),
    ),
    config,
  };
}

/** Returns the content of a JSON file of the server. */
export function jsonFile({ files }: CloudConfig, path: string): unknown {
  return JSON.parse(files.get(path) ?? 'null');
}
