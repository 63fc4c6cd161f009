import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { notice } from '#contract/bundle/bundle-paths.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { type Appliance, readAppliance } from '../inputs/config/appliance.ts';
import { ensureLock } from '../inputs/lock/ensure-lock.ts';
import { lockInputs } from '../inputs/lock/inputs.ts';
import type { Lock } from '../inputs/lock/lock.ts';
import { encodeLock, lockPathFor } from '../inputs/lock/lock-file.ts';
import type { LocatedModel } from '../inputs/models/model.ts';
import type { BundledProgram } from './archive/bundled-program.ts';
import { locateModels } from './archive/located-contents.ts';
import { bundleProgram, bundleScripts, type Scripts } from './archive/program.ts';
import {
  reportSelection,
  type Selected,
  type SelectedModel,
  selectComponents,
  selectModels,
} from './archive/selection.ts';
import type { BuildContext } from './build-context.ts';
import { readStack, type Stack } from './compose/read-stack.ts';
import { noticeOf } from './notice/notice.ts';
import { refuseUnlicensed, worksOf } from './notice/works.ts';

export interface InputOptions {
  /** Path of appliance.yaml; the lock file is in the same folder. */
  readonly config: string;
  readonly kind: 'thin' | 'full';
  readonly frozen: boolean;
  /** Optional components and models to leave out. */
  readonly without: ReadonlySet<string>;
  /** Whether to reject a bundle with a component or model whose license is not known. */
  readonly forPublic?: boolean | undefined;
  /** Called before images and models are downloaded. */
  readonly onSelected?: (selected: SelectedContent) => Promise<void>;
  /** Returns the keys that the release announces. */
  readonly keysOf: (appliance: Appliance) => Promise<TrustedKeys>;
}

/** What the bundles contain. */
export type SelectedContent = Pick<ReleaseInputs, 'lock' | 'components' | 'selected'>;

/** Everything that the bundles of one kind are made of, for all architectures. */
export interface ReleaseInputs {
  readonly config: string;
  readonly kind: 'thin' | 'full';
  readonly appliance: Appliance;
  readonly keys: TrustedKeys;
  readonly stack: Stack;
  readonly lock: Lock;
  readonly components: readonly Selected[];
  readonly selected: readonly SelectedModel[];
  readonly works: ReturnType<typeof worksOf>;
  readonly program: BundledProgram;
  readonly scripts: Scripts;
  readonly documents: ReadonlyArray<{ readonly path: string; readonly bytes: Buffer }>;
  readonly models: readonly LocatedModel[];
}

/**
 * Reads the inputs of a release: appliance, keys, stack, lock, models and programs.
 * @throws LandfallError with the codes of configuration, lock, keys, licenses and sources
 */
export async function readInputs(
  options: InputOptions,
  buildContext: BuildContext,
): Promise<ReleaseInputs> {
  const { config, kind, without } = options;
  // esbuild runs in a separate process, in parallel with the reads below.
  const bundling = bundleProgram();
  bundling.catch(() => {});

  const appliance = await readAppliance(config);
  const stack = await readStack(appliance.compose, Object.keys(appliance.components));
  const keys = await options.keysOf(appliance);
  const lock = await ensureLock(
    lockPathFor(config),
    lockInputs(appliance),
    options.frozen,
    buildContext.lockSources(config),
  );
  const { components, unknown } = selectComponents(appliance, lock, without);
  const selected = selectModels(appliance, lock, kind, without);
  reportSelection(buildContext.reporter, components, unknown, selected);
  const works = worksOf(appliance, { kind, components, models: selected });
  if (options.forPublic) refuseUnlicensed(works);

  await options.onSelected?.({ lock, components, selected });

  const program = await bundling;
  const scripts = await bundleScripts(components.flatMap(({ program }) => program ?? []));
  const packages = [program, ...scripts.values()].flatMap((each) => each.packages);
  const { name: product, version } = appliance;
  const documents = [
    ...(await documentsOf(config, lock)),
    { path: notice, bytes: await noticeOf({ product, version, works, packages }) },
  ];
  const models = await locateModels(selected, buildContext.models, dirname(config));
  const read = { config, kind, appliance, keys, stack, lock, components, selected, works };
  return { ...read, program, scripts, documents, models };
}

/** Reads appliance.yaml and encodes its lock: a bundle carries both as documentation. */
async function documentsOf(
  config: string,
  lock: Lock,
): Promise<Array<{ path: string; bytes: Buffer }>> {
  return [
    { path: 'appliance.yaml', bytes: await readFile(config) },
    { path: 'appliance.lock.yaml', bytes: Buffer.from(encodeLock(lock)) },
  ];
}
