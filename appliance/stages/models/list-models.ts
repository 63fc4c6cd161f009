import { shortModelName } from '#contract/bundle/model-name.ts';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { type EngineModel, findListed, isListed } from '../../server/ollama/ollama-api.ts';
import type { ModelState } from './public.ts';

/** A model that is installed, or in the release. */
interface ListedModel {
  readonly name: string;
  /** Bytes; null if unknown. */
  readonly size: number | null;
  /** `sha256:…` of its manifest; null if unknown. */
  readonly digest: string | null;
  /**
   * `release`: the version of the release. `other`: a name of the release with another digest.
   * `hand`: not in the release.
   */
  readonly from: 'release' | 'other' | 'hand';
  /** Whether it is installed automatically; other models of the release are pulled manually. */
  readonly chosen: boolean;
  /** Whether it is installed. */
  readonly present: boolean;
}

/**
 * Returns all models that are installed or in the release, those of the release first.
 * @param chosen the models for this server
 */
export function listModels(
  listed: readonly EngineModel[],
  states: readonly ModelState[],
  chosen: readonly ReleaseModel[],
): ListedModel[] {
  const named = states.map(({ model, name }): ListedModel => {
    const found = findListed(listed, shortModelName(name));
    const isOther = found !== undefined && !isListed(listed, name, model.manifest);
    return {
      name: shortModelName(name),
      size: found?.size ?? model.size,
      digest: found?.digest ?? model.manifest,
      from: isOther ? 'other' : 'release',
      chosen: chosen.some((each) => each.name === model.name),
      present: found !== undefined,
    };
  });
  const names = new Set(named.map(({ name }) => name.toLowerCase()));
  const others = listed.filter(({ name }) => !names.has(name.toLowerCase()));
  return [
    ...named,
    ...others.map((each) => ({ ...each, from: 'hand', chosen: false, present: true }) as const),
  ];
}

const origins = {
  release: { en: 'from the release', zh: '来自版本' },
  other: { en: 'not the version of the release', zh: '与版本中的不同' },
  hand: { en: 'by hand', zh: '手动添加' },
} as const;
const heading = {
  name: { en: 'NAME', zh: '名称' },
  size: { en: 'SIZE', zh: '大小' },
  digest: { en: 'DIGEST', zh: '摘要' },
  origin: { en: 'ORIGIN', zh: '来源' },
} as const;
const none = {
  en: 'No models. To pull one, run: sudo landfall models pull NAME',
  zh: '没有模型。要下载模型，请运行：sudo landfall models pull <名称>',
};
const notYet = { en: 'not installed yet', zh: '还没有安装' };
const notChosen = { en: 'not chosen for this server', zh: '没有为这台服务器选用' };

/** Formats the models as a table. */
export function describeModels(models: readonly ListedModel[]): string {
  if (models.length === 0) return inLanguage(none);
  const rows = models.map(({ name, size, digest, from, chosen, present }) => [
    plainLine(name),
    size === null ? '?' : formatBytes(size),
    digest === null ? '?' : digest.slice('sha256:'.length, 'sha256:'.length + 12),
    present
      ? inLanguage(origins[from])
      : `${inLanguage(chosen ? notYet : notChosen)}: sudo landfall models pull ${plainLine(name)}`,
  ]);
  return formatTable([Object.values(heading).map((text) => inLanguage(text)), ...rows]);
}
