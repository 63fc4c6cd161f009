import type { Release } from '#contract/bundle/release.ts';
import type { Problem } from '#contract/errors.ts';
import { missingComponents, missingModels } from '#contract/site/chosen-images.ts';
import { limitsOf } from '#contract/sizes/limits.ts';
import { hostedOnlyTexts, isSlow, localModels } from '#contract/sizes/local-models.ts';
import { problemsOfContext } from '#contract/sizes/model-fit.ts';
import { fitTogether, memoryFor, minContext } from '#contract/sizes/model-memory.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import type { Server } from '../../server/host/server.ts';
import type { BilingualWarning } from '../../server/stage/reporter.ts';
import type { Context } from '../../server/stage/stage.ts';

/** Supported distributions. Ubuntu is untested: its entries follow its documentation. */
const supported: Readonly<Record<string, readonly string[]>> = {
  debian: ['12', '13'],
  ubuntu: ['24.04', '26.04'],
};

/** Why a distribution that was supported is not any more. */
const dropped: Readonly<Record<string, Text>> = {
  'ubuntu 22.04': {
    en: 'its restic 0.12 cannot read backups that newer versions write, its systemd 249 lacks RestartSteps, and its support ends in April 2027',
    zh: '它的 restic 0.12 无法读取新版本写的备份，systemd 249 没有 RestartSteps，支持到 2027 年 4 月为止',
  },
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
  const why = dropped[`${id} ${version}`];
  const names = Object.entries(supported).map(
    ([name, versions]) => `${name} ${versions.join(', ')}`,
  );
  return {
    message: inLanguage({
      en: [`unsupported distribution: ${id} ${version}`, why?.en].filter(Boolean).join('; '),
      zh: [`不支持的发行版：${id} ${version}`, why?.zh].filter(Boolean).join('；'),
    }),
    hint: inLanguage({
      en: `Use one of: ${names.join('; ')}.`,
      zh: `请使用：${names.join('；')}。`,
    }),
  };
}

function checkArchitecture({ arch }: Server, release: Release): Problem | undefined {
  if (arch === release.arch) return undefined;
  return {
    message: inLanguage({
      en: `wrong architecture: the server is ${arch ?? 'unknown'}, the release is for ${release.arch}`,
      zh: `架构不符：服务器是 ${arch ?? '未知'}，版本用于 ${release.arch}`,
    }),
    hint: inLanguage({
      en: `Use a release for ${arch ?? 'the architecture of the server'}, or another server.`,
      zh: `使用 ${arch ?? '服务器架构'} 的版本，或换一台服务器。`,
    }),
  };
}

function checkMemory({ memory, crashMemory }: Server): Problem | undefined {
  if (memory >= minMemory) return undefined;
  const message = {
    en: `not enough memory: ${formatBytes(memory)}`,
    zh: `内存不足：${formatBytes(memory)}`,
  };
  const reserved = formatBytes(crashMemory);
  if (memory + crashMemory < minMemory) {
    const hint = {
      en: 'Use a server with at least 2 GB of memory, or 8 GB for a 7B model.',
      zh: '使用内存至少 2 GB 的服务器；7B 模型要 8 GB。',
    };
    return { message: inLanguage(message), hint: inLanguage(hint) };
  }
  return {
    message: inLanguage({
      en: `${message.en}, because the kernel reserves ${reserved} for crash dumps (kdump)`,
      zh: `${message.zh}，因为内核为崩溃转储（kdump）保留了 ${reserved}`,
    }),
    hint: inLanguage({
      en: 'Use a server with more memory, or run `sudo apt-get purge kdump-tools`, `sudo update-grub` and `sudo reboot`.',
      zh: '使用内存更大的服务器，或运行 `sudo apt-get purge kdump-tools`、`sudo update-grub` 和 `sudo reboot`。',
    }),
  };
}

/** Checks that the release contains every component that the site enables. */
export function checkComponents({ release, site }: Pick<Context, 'release' | 'site'>): Problem[] {
  return missingComponents(release, site).map(({ name: component, because }) => ({
    message: inLanguage({
      en: `${because}, but ${release.product} ${release.version} has no ${component}`,
      zh: `${because}，但 ${release.product} ${release.version} 没有 ${component}`,
    }),
    hint: inLanguage({
      en: 'Create user-data from a site without it, or for a release that includes it.',
      zh: '用不含它的站点，或包含它的版本，重新生成 user-data。',
    }),
  }));
}

type Facts = Pick<Context, 'release' | 'site' | 'server'>;

/**
 * Checks the models of the site before any download: the release must contain them, and the server
 * must have enough memory for each, and for the context of the site.
 */
export function checkModels({ release, site, server }: Facts): Problem[] {
  const context = problemsOfContext(localModels(release, site, server), server, site);
  if (site.models === undefined) return context;
  const available = release.models.map(({ name }) => name).join(', ');
  const unknown = missingModels(release, site).map((name) => ({
    message: inLanguage({
      en: `unknown model ${name} in the site: it is not in ${release.product} ${release.version}`,
      zh: `站点中的模型 ${name} 未知：${release.product} ${release.version} 中没有`,
    }),
    hint: available
      ? inLanguage({
          en: `Choose from ${available}, or pull other models manually after the installation.`,
          zh: `可选：${available}；其他模型请在安装后手动下载。`,
        })
      : inLanguage({
          en: 'Remove models from the site, and pull models manually after the installation.',
          zh: '从站点中删除 models，安装后手动下载模型。',
        }),
  }));
  const limit = formatBytes(limitsOf(server).engine.memory);
  const large = localModels(release, site, server)
    .models.filter((model) => !fitTogether([model], server, minContext))
    .map((model) => ({
      message: inLanguage({
        en: `not enough memory for ${model.name}: it needs about ${formatBytes(memoryFor(model, minContext, server.slots))}, and ${limit} of ${formatBytes(server.memory)} is available to models`,
        zh: `内存不够运行 ${model.name}：约需 ${formatBytes(memoryFor(model, minContext, server.slots))}，而 ${formatBytes(server.memory)} 中有 ${limit} 可供模型使用`,
      }),
      hint: inLanguage({
        en: 'Use a server with more memory, or set models in the site to a smaller model.',
        zh: '使用内存更大的服务器，或在站点的 models 中换用较小的模型。',
      }),
    }));
  return [...unknown, ...(large.length > 0 ? large : context)];
}

/**
 * Warns about a server that is too small for a local model, and about models that are slow on few
 * processors (SPEC 8: from 4 cores for a 7B-class model).
 */
export function warnOfModels({ release, site, server }: Facts): BilingualWarning[] {
  const chosen = localModels(release, site, server);
  const hostedOnly = chosen.hostedOnly === 'too-small' ? [hostedOnlyTexts['too-small']] : [];
  const slow = chosen.models
    .filter((model) => isSlow(model, server))
    .map(({ name }): BilingualWarning => {
      const text = {
        en: `${name} will be slow on ${server.cpus} processors`,
        zh: `${name} 在 ${server.cpus} 个处理器上会很慢`,
      };
      return { kind: 'model-slow', subject: name, text };
    });
  return [
    ...hostedOnly.map(
      (text): BilingualWarning => ({ kind: 'models-hosted-only', subject: release.product, text }),
    ),
    ...slow,
  ];
}
