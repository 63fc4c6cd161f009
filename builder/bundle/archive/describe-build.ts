import { carriesModel } from '#contract/bundle/model-files.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatTable } from '#contract/text/table.ts';
import type { PublishedBundle } from './publish-bundle.ts';

/** Renders a table of the built bundles: one row per bundle and one per model in it, and what they lack. */
export function describeBuild(built: readonly PublishedBundle[]): string {
  const table = formatTable(
    built.flatMap(({ path, fileCount, manifestSha256, release, unchanged }) => {
      const last = release.files.at(-1);
      const size = last ? last.offset + last.size : 0;
      const models = release.models.filter((model) => carriesModel(release, model));
      return [
        [
          path,
          fileCount === 1 ? release.kind : `${release.kind}, ${fileCount} parts`,
          formatBytes(size),
          `release.json sha256 ${manifestSha256.slice(0, 16)}…`,
          unchanged ? 'unchanged' : '',
        ],
        ...models.map((model) => [`  with ${model.name}`, 'model', formatBytes(model.size ?? 0)]),
      ];
    }),
    [{}, {}, { align: 'right' }],
  );
  const isReplaceable = built.every(({ release }) => release.keys.recovery !== null);
  return isReplaceable ? table : `${table}\n${noRecoveryKey}`;
}

const noRecoveryKey =
  'no recovery key: a lost or stolen release key cannot be replaced (landfall keygen --name recovery)';
