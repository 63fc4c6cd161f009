import { carriesModel } from '#contract/bundle/model-files.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage, say } from '#contract/text/language.ts';
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
          kindOf(release.kind, fileCount),
          formatBytes(size),
          `release.json sha256 ${manifestSha256.slice(0, 16)}…`,
          unchanged ? say('unchanged', '没有变化') : '',
        ],
        ...models.map(({ name, size }) => [
          say(`  with ${name}`, `  含 ${name}`),
          say('model', '模型'),
          formatBytes(size ?? 0),
        ]),
      ];
    }),
    [{}, {}, { align: 'right' }],
  );
  const isReplaceable = built.every(({ release }) => release.keys.recovery !== null);
  return isReplaceable ? table : `${table}\n${inLanguage(noRecoveryKey)}`;
}

function kindOf(kind: 'full' | 'thin', parts: number): string {
  const name = say(kind, kind === 'full' ? '完整' : '精简');
  return parts === 1 ? name : say(`${name}, ${parts} parts`, `${name}，${parts} 个分卷`);
}

const noRecoveryKey = {
  en: 'no recovery key: a lost or stolen release key cannot be replaced (landfall keygen --name recovery)',
  zh: '没有恢复密钥：发布密钥丢失或被盗后无法更换（landfall keygen --name recovery）',
};
