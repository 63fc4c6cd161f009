import { existsSync } from 'node:fs';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../../host/host.ts';
import { trustVariables } from '../../host/trust-variables.ts';
import type { Setting } from '../setting.ts';

/** Read by login shells that are sh or bash, and by zsh through its block. */
export const trustProfileFile = 'etc/profile.d/landfall-ca.sh';
const fishFolder = 'etc/fish/conf.d';
const origin = 'Made by Landfall. `sudo landfall route off` removes it.';

/**
 * Returns the files that make programs of login shells trust the site's certificate authorities. They
 * are separate from the proxy: `proxy_off` does not change them.
 */
export function trustSettings(host: Host, site: Pick<Site, 'ca'>): Setting[] {
  const lines = Object.entries(trustVariables(site)).map(
    // fish has `export` too.
    ([name, value]) => `export ${name}='${value}'\n`,
  );
  const text = lines.length > 0 ? `# ${origin}\n${lines.join('')}` : undefined;
  const isFish = existsSync(host.path(fishFolder));
  return [trustProfileFile, ...(isFish ? [`${fishFolder}/landfall-ca.fish`] : [])].map((path) => ({
    ...{ path, text, mode: 0o644 },
    ...{ purpose: 'login shells', subject: 'the certificate authorities' },
  }));
}
