import { formatBytes, formatTable } from '../report/format.ts';
import type { PublishedBundle } from './publish-bundle.ts';

/** What was built, one row a bundle, for people. */
export function describeBuild(built: readonly PublishedBundle[]): string {
  return formatTable(
    built.map(({ path, manifestSha256, release, unchanged }) => {
      const last = release.files.at(-1);
      const size = last ? last.offset + last.size : 0;
      return [
        path,
        `${release.kind}`,
        formatBytes(size).padStart(8),
        `release.json sha256 ${manifestSha256.slice(0, 16)}…`,
        unchanged ? 'unchanged' : '',
      ];
    }),
  );
}
