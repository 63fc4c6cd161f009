import type { Problem } from '#contract/errors.ts';
import { missingModels } from '#contract/site/chosen-models.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { limitsOf } from '../stack/limits.ts';
import {
  describeHostedOnly,
  fitsMemory,
  isSlow,
  localModels,
  memoryFor,
} from '../stack/local-models.ts';
import type { Context } from '../stage/stage.ts';
import type { Warning } from '../stage/warning.ts';

type Facts = Pick<Context, 'release' | 'site' | 'server'>;

/**
 * Judges the models that a site names: the release must lock them, and the server must have memory
 * for each. Nothing is downloaded before that is known.
 */
export function judgeModels({ release, site, server }: Facts): Problem[] {
  if (site.models === undefined) return [];
  const available = release.models.map(({ name }) => name).join(', ');
  const unknown = missingModels(release, site).map((name) => ({
    message: `the site names the model ${name}, but ${release.product} ${release.version} does not lock it`,
    hint: available
      ? `Name some of ${available}, and pull others by hand once the server is up.`
      : 'Remove models from the site, and pull models by hand once the server is up.',
  }));
  const limit = formatBytes(limitsOf(server).engine.memory);
  const large = localModels(release, site, server)
    .models.filter((model) => !fitsMemory(model, server))
    .map((model) => ({
      message: `${model.name} takes about ${formatBytes(memoryFor(model))} of memory; of the ${formatBytes(server.memory)} of this server ${limit} are left for models`,
      hint: 'Take a server with more memory, or name a smaller model in models of the site.',
    }));
  return [...unknown, ...large];
}

/**
 * Warns of a server that gets no local model because it is too small, and of models that are slow on
 * few processors (SPEC 8: from 4 cores for a 7B-class model).
 */
export function warnOfModels({ release, site, server }: Facts): Warning[] {
  const chosen = localModels(release, site, server);
  const hostedOnly = chosen.hostedOnly === 'too-small' ? [describeHostedOnly(chosen) ?? ''] : [];
  const slow = chosen.models
    .filter((model) => isSlow(model, server))
    .map(({ name }): Warning => {
      const text = `${name} will be slow on ${server.cpus} processors`;
      return { kind: 'model-slow', subject: name, text };
    });
  return [
    ...hostedOnly.map(
      (text): Warning => ({ kind: 'models-hosted-only', subject: release.product, text }),
    ),
    ...slow,
  ];
}
