import { LandfallError } from '#contract/errors.ts';

const hub = 'https://huggingface.co';

/**
 * A file of the model hub at the mirror that HF_ENDPOINT names (SPEC 2.2), as the hub's own client
 * reads it; every other URL stays what it is. What comes is compared with the lock either way.
 * @throws LandfallError USAGE when the variable holds no URL
 */
export function throughHubMirror(url: URL, { HF_ENDPOINT: mirror }: NodeJS.ProcessEnv): URL {
  if (!mirror || url.origin !== hub) return url;
  const base = URL.parse(mirror);
  if (base === null || !/^https?:$/.test(base.protocol)) {
    throw new LandfallError('USAGE', 'HF_ENDPOINT is not the URL of a hub', {
      hint: 'Set it as in: HF_ENDPOINT=https://hub.example.cn',
    });
  }
  const folder = base.pathname.replace(/\/+$/, '');
  return new URL(`${base.origin}${folder}${url.pathname}${url.search}`);
}
