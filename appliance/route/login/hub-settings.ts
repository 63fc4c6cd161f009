import { existsSync } from 'node:fs';
import type { Site } from '#contract/site/site.ts';
import { quoted } from '#proxy-settings/quoted.ts';
import type { Host } from '../../host/host.ts';
import type { Setting } from '../setting.ts';

/** Read by login shells that are sh or bash, and by zsh through our block. */
export const hubProfileFile = 'etc/profile.d/landfall-hub.sh';
/** Exists once fish is installed. */
const fishFolder = 'etc/fish/conf.d';

/**
 * Returns the files that set HF_ENDPOINT (SPEC 2.2) in login shells; without a text if the site has no
 * mirror of the model hub. Containers get no such variable: Open WebUI works offline.
 */
export function hubSettings(host: Host, { mirrors }: Pick<Site, 'mirrors'>): Setting[] {
  const paths = [
    hubProfileFile,
    ...(existsSync(host.path(fishFolder)) ? [`${fishFolder}/landfall-hub.fish`] : []),
  ];
  const text =
    mirrors.hub &&
    `# Made by Landfall. \`sudo landfall route off\` removes it.
export HF_ENDPOINT=${quoted(mirrors.hub.replace(/\/+$/, ''))}
`;
  const what = { purpose: 'login shells', subject: 'the mirror of the model hub' };
  return paths.map((path) => ({ path, ...what, text, mode: 0o644 }));
}
