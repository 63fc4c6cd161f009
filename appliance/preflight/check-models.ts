import type { Problem } from '#contract/errors.ts';
import { missingModels } from '#contract/site/chosen-models.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { limitsOf } from '../stack/limits.ts';
import { describeHostedOnly, isSlow, localModels } from '../stack/local-models.ts';
import { fitTogether, memoryFor, minContext } from '../stack/model-memory.ts';
import type { Context } from '../stage/stage.ts';
import type { Warning } from '../stage/warning.ts';

type Facts = Pick<Context, 'release' | 'site' | 'server'>;

/**
 * Checks the models of the site before any download: the release must contain them, and the server
 * must have enough memory for each.
 */
export function checkModels({ release, site, server }: Facts): Problem[] {
  if (site.models === undefined) return [];
  const available = release.models.map(({ name }) => name).join(', ');
  const unknown = missingModels(release, site).map((name) => ({
    message: `unknown model ${name} in the site: it is not in ${release.product} ${release.version}`,
    hint: available
      ? `Choose from ${available}, or pull other models manually after the installation.`
      : 'Remove models from the site, and pull models manually after the installation.',
  }));
  const limit = formatBytes(limitsOf(server).engine.memory);
  const large = localModels(release, site, server)
    .models.filter((model) => !fitTogether([model], server, minContext))
    .map((model) => ({
      message: `not enough memory for ${model.name}: it needs about ${formatBytes(memoryFor(model, minContext))}, and ${limit} of ${formatBytes(server.memory)} is available to models`,
      hint: 'Use a server with more memory, or set models in the site to a smaller model.',
    }));
  return [...unknown, ...large];
}

/**
 * Warns about a server that is too small for a local model, and about models that are slow on few
 * processors (SPEC 8: from 4 cores for a 7B-class model).
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
