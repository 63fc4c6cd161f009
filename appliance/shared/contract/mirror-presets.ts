import type { Site } from './site/site.ts';
import type { Text } from './text/language.ts';

type Mirrors = Site['mirrors'];

/** Mirrors of one distribution that public documents name. */
interface MirrorPreset {
  readonly title: Text;
  readonly mirrors: Mirrors;
}

/**
 * Mirrors in mainland China, as their own documents named them on 24 November 2026: the mirror site of
 * Tsinghua University (mirrors.tuna.tsinghua.edu.cn/help), DaoCloud's public-image-mirror and
 * public-binary-files-mirror, hf-mirror.com and npmmirror.com. The second mirrors of registries were read in
 * public guides in November 2026. Images and models are verified by digest, packages of apt by signature.
 */
const mainlandChina = {
  registries: {
    // Each serves listed or popular images only; together they have those of a release.
    'docker.io': ['https://docker.m.daocloud.io', 'https://docker.1ms.run'],
    'ghcr.io': ['https://ghcr.m.daocloud.io', 'https://ghcr.nju.edu.cn'],
  },
  models: 'https://ollama.m.daocloud.io',
  // The prefix of DaoCloud's public-binary-files-mirror.
  github: 'https://files.m.daocloud.io/github.com',
  hub: 'https://hf-mirror.com',
  npm: 'https://registry.npmmirror.com',
  pip: 'https://pypi.tuna.tsinghua.edu.cn/simple',
};

/** Presets by the name of `landfall init --mirrors`. */
export const mirrorPresets = {
  'china-debian': {
    title: { en: 'mainland China, for Debian', zh: '中国大陆，Debian' },
    mirrors: {
      apt: 'https://mirrors.tuna.tsinghua.edu.cn/debian',
      apt_security: 'https://mirrors.tuna.tsinghua.edu.cn/debian-security',
      ...mainlandChina,
    },
  },
  'china-ubuntu': {
    title: { en: 'mainland China, for Ubuntu on amd64', zh: '中国大陆，Ubuntu（amd64）' },
    mirrors: { apt: 'https://mirrors.tuna.tsinghua.edu.cn/ubuntu', ...mainlandChina },
  },
} as const satisfies Record<string, MirrorPreset>;

export type MirrorPresetName = keyof typeof mirrorPresets;
export const mirrorPresetNames = Object.keys(mirrorPresets) as readonly MirrorPresetName[];
