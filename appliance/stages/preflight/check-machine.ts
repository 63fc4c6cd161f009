import type { Release } from '#contract/bundle/release.ts';
import type { Problem } from '#contract/errors.ts';
import { missingComponents } from '#contract/site/chosen-images.ts';
import { missingModels } from '#contract/site/chosen-models.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import type { Server } from '../../server/host/server.ts';
import type { Warning } from '../../server/stage/reporter.ts';
import type { Context } from '../../server/stage/stage.ts';
import { limitsOf } from '../stack/limits.ts';
import { describeHostedOnly, isSlow, localModels } from '../stack/local-models.ts';
import { fitTogether, memoryFor, minContext } from '../stack/model-memory.ts';

/** Supported distributions. Ubuntu is untested: its entries follow its documentation. */
const supported: Readonly<Record<string, readonly string[]>> = {
  debian: ['12', '13'],
  ubuntu: ['24.04', '26.04'],
};

/** Why a distribution that was supported is not any more. */
const dropped: Readonly<Record<string, string>> = {
  'ubuntu 22.04':
    'its restic 0.12 cannot read backups that newer versions write, its systemd 249 lacks RestartSteps, and its support ends in April 2027',
};

/** A "2 GB" server reports less, because the kernel reserves memory. Bytes. */
const minMemory = 1.8e9;

/** Checks the distribution, the architecture and the memory of a server. */
export function checkMachine(server: Server, release: Release): Problem[] {
  return [
    checkDistribution(server),
    checkArchitecture(server, release),
    checkMemory(server),
  ].filter((problem) => problem !== undefined);
}

function checkDistribution({ distribution: { id, version } }: Server): Problem | undefined {
  if (supported[id]?.includes(version)) return undefined;
  const names = Object.entries(supported).map(
    ([name, versions]) => `${name} ${versions.join(', ')}`,
  );
  return {
    message: [`unsupported distribution: ${id} ${version}`, dropped[`${id} ${version}`]]
      .filter((part) => part !== undefined)
      .join('; '),
    hint: `Use one of: ${names.join('; ')}.`,
  };
}

function checkArchitecture({ arch }: Server, release: Release): Problem | undefined {
  if (arch === release.arch) return undefined;
  return {
    message: `wrong architecture: the server is ${arch ?? 'unknown'}, the release is for ${release.arch}`,
    hint: `Use a release for ${arch ?? 'the architecture of the server'}, or another server.`,
  };
}

function checkMemory({ memory, crashMemory }: Server): Problem | undefined {
  if (memory >= minMemory) return undefined;
  const message = `not enough memory: ${formatBytes(memory)}`;
  if (memory + crashMemory < minMemory) {
    return { message, hint: 'Use a server with at least 2 GB of memory, or 8 GB for a 7B model.' };
  }
  return {
    message: `${message}, because the kernel reserves ${formatBytes(crashMemory)} for crash dumps (kdump)`,
    hint: 'Use a server with more memory, or run `sudo apt-get purge kdump-tools`, `sudo update-grub` and `sudo reboot`.',
  };
}

/** Checks that the release contains every component that the site enables. */
export function checkComponents({ release, site }: Pick<Context, 'release' | 'site'>): Problem[] {
  return missingComponents(release, site).map(({ name: component, because }) => ({
    message: `${because}, but ${release.product} ${release.version} has no ${component}`,
    hint: 'Create user-data from a site without it, or for a release that includes it.',
  }));
}

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
      message: `not enough memory for ${model.name}: it needs about ${formatBytes(memoryFor(model, minContext, server.slots))}, and ${limit} of ${formatBytes(server.memory)} is available to models`,
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
