import { shortModelName } from '#contract/bundle/model-name.ts';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { type EngineModel, findListed, isListed } from '../ollama/models.ts';
import type { ModelState } from './model-states.ts';

/** A model that the engine has, or that the release names. */
interface ListedModel {
  readonly name: string;
  /** Bytes; null where nobody knows yet. */
  readonly size: number | null;
  /** `sha256:…` of its manifest; null where nobody knows yet. */
  readonly digest: string | null;
  /**
   * `release`: it is the one that the release locks. `other`: it has a name of the release and
   * another digest. `hand`: the release does not lock it.
   */
  readonly from: 'release' | 'other' | 'hand';
  /** Whether this server is to have it; others of the release are only pulled by hand. */
  readonly chosen: boolean;
  /** Whether the engine has it. */
  readonly present: boolean;
}

/**
 * Every model that is here or could come from the release, those of the release first.
 * @param chosen those that this server is to have
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
  release: 'from the release',
  other: 'another than the release names',
  hand: 'by hand',
} as const;

/** The same as a table, for people. */
export function describeModels(models: readonly ListedModel[]): string {
  if (models.length === 0)
    return 'No model is here. One is pulled by: sudo landfall models pull NAME';
  const rows = models.map(({ name, size, digest, from, chosen, present }) => [
    plainLine(name),
    size === null ? '?' : formatBytes(size),
    digest === null ? '?' : digest.slice('sha256:'.length, 'sha256:'.length + 12),
    present
      ? origins[from]
      : `${chosen ? 'not here yet' : 'not chosen for this server'}: sudo landfall models pull ${plainLine(name)}`,
  ]);
  return formatTable([['NAME', 'SIZE', 'DIGEST', 'ORIGIN'], ...rows]);
}
